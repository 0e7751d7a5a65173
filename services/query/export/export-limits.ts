import { AppError } from '../../shared/errors/app-error.ts';
import { retryAfter } from '../../shared/http/retry-after.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';

/** Limits of exports over all replicas. */
export interface ExportLimits {
  readonly maxRunningExports: number;
  readonly maxRunningExportsTotal: number;
  readonly exportMaxBytesPerOrganisation: number;
}

/** Throws RATE_LIMITED if no further export may start. */
export function rejectTooManyExports(
  { own, total }: { readonly own: number; readonly total: number },
  { maxRunningExports, maxRunningExportsTotal }: ExportLimits,
): void {
  if (own >= maxRunningExports) {
    throw limitReached(
      `Your organisation already has ${maxRunningExports} running exports, the maximum. Please retry when one has ended.`,
      5,
    );
  }
  if (total >= maxRunningExportsTotal) {
    throw limitReached(
      `The service already has ${maxRunningExportsTotal} running exports, the maximum over all organisations. Please retry when one has ended.`,
      5,
    );
  }
}

/** The size of the files in the store. A running export counts with the size of its last heartbeat. */
export async function keptExportBytes(
  database: Database,
  organisationId: number,
  store: string,
): Promise<number> {
  const kept = await database('exports')
    .where({ organisation_id: organisationId, store, swept_at: null })
    .first<{ bytes: number }>(database.raw('coalesce(sum(byte_count), 0)::bigint as bytes'));
  return kept.bytes;
}

export function quotaExceeded(bytes: number, maxBytes: number): AppError {
  return limitReached(
    `Your organisation's export files have ${bytes} bytes, and the maximum is ${maxBytes}. Delete exports, or retry when some have expired.`,
    60,
  );
}

function limitReached(publicMessage: string, retryAfterS: number): AppError {
  return new AppError('RATE_LIMITED', { publicMessage, headers: retryAfter(retryAfterS) });
}
