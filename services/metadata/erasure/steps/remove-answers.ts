import type { Erasure } from '../erasure.ts';
import { recordCounts } from '../erasure-ledger.ts';
import type { ErasureTools } from '../erasure-tools.ts';
import { identifierPattern } from '../identifier-pattern.ts';

/**
 * Deletes responses of the ingestion service, kept for repeated requests, that name the household: in a rejected row, or
 * in the Idempotency-Key. Such a request is carried out again when it is repeated, which stores nothing twice.
 */
export async function removeAnswers({ database }: ErasureTools, erasure: Erasure): Promise<void> {
  const { id, organisationId, identifiers } = erasure;
  // An erasure that is repeated after a restore, when its identifiers are forgotten.
  if (identifiers === null || identifiers.length === 0) return;
  await database.transaction(async (transaction) => {
    const removed = await transaction('ingest_requests')
      .where({ organisation_id: organisationId })
      // The second form finds a unit id in a key such as 100123-2026-11-15.
      .whereRaw(
        `concat_ws(' ', idempotency_key, regexp_replace(idempotency_key, '[^A-Za-z0-9]', ' ', 'g'), answer::text) ~* ?`,
        [identifierPattern(identifiers)],
      )
      .delete();
    await recordCounts(transaction, id, { removed: { ingest_requests: removed } });
  });
}
