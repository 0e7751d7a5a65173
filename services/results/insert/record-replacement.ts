import { recordAuditEvents } from '../../registry/audit/audit-events.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';

interface Replacement {
  readonly organisationId: number;
  readonly actor: string;
  readonly test: string;
  /** Rows that were sent as corrections. */
  readonly rows: number;
}

/** Other results are only counted. A correction changes what was published before. */
export async function recordReplacement(
  database: Database,
  { organisationId, actor, test, rows }: Replacement,
): Promise<void> {
  await recordAuditEvents(database, [
    {
      occurredAt: new Date(),
      organisationId,
      actor,
      action: 'results.replace',
      target: `test ${test}`,
      details: { rows },
      outcome: 'OK',
    },
  ]);
}
