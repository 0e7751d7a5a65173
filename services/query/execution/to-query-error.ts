import { ClickHouseError } from '@clickhouse/client';
import { clickHouseCodes } from '../../shared/clickhouse/clickhouse-codes.ts';
import { AppError, retryAfter } from '../../shared/errors/app-error.ts';
import { isUnreachable } from '../../shared/errors/is-unreachable.ts';
import { severalCells } from '../compiler/stages/published-cells.ts';
import type { QueryLimits } from './query-settings.ts';

/** ClickHouse cannot be reached, or has lost the query: the same query may succeed later. */
export class ClickHouseUnavailable extends AppError {
  constructor(cause: unknown) {
    super('SERVICE_UNAVAILABLE', { headers: retryAfter(5), cause });
  }
}

/** Maps an error of ClickHouse, or of the connection to it, to an AppError. The log keeps its text. */
export function toQueryError(error: unknown, limits: QueryLimits): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof ClickHouseError) return byCode(error, limits);
  if (isUnreachable(error)) return new ClickHouseUnavailable(error);
  return new AppError('UNKNOWN_ERROR', { cause: error });
}

function byCode(error: ClickHouseError, limits: QueryLimits): AppError {
  switch (Number(error.code)) {
    case clickHouseCodes.tooManyRows:
      return overLimit(
        `The request reads more than ${limits.maxRowsToRead} results. Send a shorter range.`,
        error,
      );
    case clickHouseCodes.tooManyResultRows:
      return overLimit(
        `The response has more than ${limits.maxResultRows} rows. Send a shorter range, a coarser aggregation or fewer splits.`,
        error,
      );
    case clickHouseCodes.memoryLimit:
      return overLimit(
        'The query exceeds the memory limit. Send a shorter range, a coarser aggregation or fewer splits.',
        error,
      );
    case clickHouseCodes.timeout:
      return new AppError('QUERY_TIMEOUT', { cause: error });
    case clickHouseCodes.tooManyQueries:
      return new AppError('RATE_LIMITED', { headers: retryAfter(1), cause: error });
    // The organisation's hourly quota of deploy/clickhouse/roles.
    case clickHouseCodes.quotaExceeded:
      return new AppError('RATE_LIMITED', { headers: retryAfter(60), cause: error });
    // Otherwise the copied metadata of knownAt has disappeared.
    case clickHouseCodes.throwIf:
      return error.message.includes(severalCells)
        ? new AppError('VALIDATION_FAIL', { errors: { splits: [oneCell] }, cause: error })
        : new ClickHouseUnavailable(error);
    case clickHouseCodes.networkError:
    case clickHouseCodes.socketTimeout:
    case clickHouseCodes.shuttingDown:
    case clickHouseCodes.allReplicasFailed:
      return new ClickHouseUnavailable(error);
    default:
      return new AppError('UNKNOWN_ERROR', { cause: error });
  }
}

const oneCell = `${severalCells}. Split by the fields that tell the cells apart, such as country or agent, filter by one, or send an aggregation no longer than the period of a cell.`;

function overLimit(message: string, cause: unknown): AppError {
  return new AppError('VALIDATION_FAIL', { errors: { time: [message] }, cause });
}
