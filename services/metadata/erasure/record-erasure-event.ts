import { recordAuditEvents } from '../../registry/audit-events.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import type { Erasure } from './erasure.ts';

/** Records the request or the end of an erasure in the audit. The report contains no identifier. */
export async function recordErasureEvent(
  database: Database,
  event: 'request' | 'end',
  erasure: Pick<Erasure, 'id' | 'organisationId' | 'tokenId' | 'report'>,
): Promise<void> {
  const { id, organisationId, tokenId, report } = erasure;
  await recordAuditEvents(database, [
    {
      occurredAt: new Date(),
      organisationId,
      actor: tokenId === null ? 'command line' : `token ${tokenId}`,
      action: `erasure.${event}`,
      target: `erasure ${id}`,
      details: report,
      outcome: 'OK',
    },
  ]);
}
