import { ClickHouseError } from '@clickhouse/client';
import { AppError } from '../errors/app-error.ts';
import { isUnreachable } from '../errors/is-unreachable.ts';
import { clickHouseCodes } from './clickhouse-codes.ts';

const failureKinds = [
  'timeout',
  'memory',
  // More rows than a request may read or have.
  'limit',
  // Too many queries, or an allowance that is used up.
  'refused',
  'unreachable',
  'other',
] as const;

export type FailureKind = (typeof failureKinds)[number];

/** Why ClickHouse did not answer, in one of few words: a label of a figure. */
export function failureKind(error: unknown): FailureKind {
  if (error instanceof ClickHouseError) return kindByCode.get(Number(error.code)) ?? 'other';
  if (error instanceof AppError && error.code === 'QUERY_TIMEOUT') return 'timeout';
  return isUnreachable(error) ? 'unreachable' : 'other';
}

const kindByCode: ReadonlyMap<number, FailureKind> = new Map([
  [clickHouseCodes.timeout, 'timeout'],
  [clickHouseCodes.memoryLimit, 'memory'],
  [clickHouseCodes.tooManyRows, 'limit'],
  [clickHouseCodes.tooManyResultRows, 'limit'],
  [clickHouseCodes.quotaExceeded, 'refused'],
  [clickHouseCodes.tooManyQueries, 'refused'],
  [clickHouseCodes.networkError, 'unreachable'],
  [clickHouseCodes.socketTimeout, 'unreachable'],
  [clickHouseCodes.shuttingDown, 'unreachable'],
  [clickHouseCodes.allReplicasFailed, 'unreachable'],
]);
