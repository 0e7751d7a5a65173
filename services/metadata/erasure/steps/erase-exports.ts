import { type ErrorCode, errorCodes } from '../../../shared/errors/error-codes.ts';
import { type Erasure, type ErasureTools, ErasureWaits } from '../erasure.ts';
import { recordCounts } from '../erasure-ledger.ts';

/**
 * Withdraws all exports of the organisation so far, also running ones: a file does not tell whose results
 * it contains. Exports that begin later read results without the household.
 */
export async function eraseExports(
  { database }: ErasureTools,
  { id, organisationId }: Erasure,
): Promise<void> {
  await database.transaction(async (transaction) => {
    const exports = await transaction('exports')
      .where({ organisation_id: organisationId })
      .whereIn('status', ['running', 'done'])
      .update({
        status: 'erased',
        failure_code: 'EXPORT_ERASED' satisfies ErrorCode,
        failure_message: errorCodes.EXPORT_ERASED.message,
        finished_at: transaction.raw('coalesce(finished_at, now())'),
      });
    await recordCounts(transaction, id, { exports });
  });
}

/** Waits until the query service, which has access to the object store, has deleted the files. */
export async function awaitFiles(
  { database }: ErasureTools,
  { organisationId }: Erasure,
): Promise<void> {
  const [row] = await database('exports')
    .where({ organisation_id: organisationId, swept_at: null })
    .whereNotIn('status', ['running', 'done'])
    .count<{ count: number }[]>('* as count');
  const count = row?.count ?? 0;
  if (count > 0)
    throw new ErasureWaits(`the query service to delete the files of ${count} exports`);
}
