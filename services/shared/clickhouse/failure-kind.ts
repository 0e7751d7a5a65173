import { ClickHouseError } from '@clickhouse/client';
import { AppError } from '../errors/app-error.ts';
import { isUnreachable } from '../errors/is-unreachable.ts';
import { clickHouseCodes } from './clickhouse-codes.ts';

export type FailureKind =
  | 'timeout'
  | 'memory'
  /** More rows than a request may read or return. */
  | 'limit'
  /** Too many queries, or a quota that is used up. */
  | 'refused'
  | 'unreachable'
  | 'other';

/** Why a ClickHouse query failed, as the label of a metric. */
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
