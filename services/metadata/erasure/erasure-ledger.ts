import { isUuid } from '../../shared/is-uuid.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import type { Erasure, ErasureReport } from './erasure.ts';
import { recordAuditEvents } from '../../registry/audit/audit-events.ts';

/** Undefined if it does not exist. */
export async function findErasure(database: Database, id: string): Promise<Erasure | undefined> {
  // Postgres throws an error if the text is not a UUID.
  if (!isUuid(id)) return undefined;
  return database('erasures').where({ id }).first<Erasure | undefined>(erasureColumns);
}

export async function requireErasure(database: Database, id: string): Promise<Erasure> {
  const erasure = await findErasure(database, id);
  if (erasure === undefined) throw new Error(`The erasure ${id} does not exist`);
  return erasure;
}

/** Ids of the erasures that have not ended, oldest first. */
export async function runningErasures(database: Database): Promise<readonly string[]> {
  return database('erasures').whereNull('ended_at').orderBy('created_at').pluck<string[]>('id');
}

type Counts = Partial<Pick<ErasureReport, 'removed' | 'redacted' | 'exports'>>;

/**
 * Adds counts to the report. A step that is repeated after a crash finds fewer rows than the first time,
 * so the higher count is kept.
 */
export async function recordCounts(
  database: Database,
  id: string,
  { removed = {}, redacted = {}, exports = 0 }: Counts,
): Promise<void> {
  await database.transaction(async (transaction) => {
    const { report } = await transaction('erasures')
      .where({ id })
      .forUpdate()
      .first<Pick<Erasure, 'report'>>('report');
    const counted: ErasureReport = {
      ...report,
      removed: highest(report.removed, removed),
      redacted: highest(report.redacted, redacted),
      exports: Math.max(report.exports, exports),
    };
    await transaction('erasures')
      .where({ id })
      .update({ report: JSON.stringify(counted) });
  });
}

function highest(
  known: Readonly<Record<string, number>>,
  found: Readonly<Record<string, number>>,
): Record<string, number> {
  const counts = Object.entries(found).filter(([, count]) => count > 0);
  const higher = counts.map(([table, count]) => [table, Math.max(count, known[table] ?? 0)]);
  return { ...known, ...(Object.fromEntries(higher) as Record<string, number>) };
}

/** Ends an erasure and forgets what it searched for. */
export async function recordEnd(database: Database, id: string): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction('erasures')
      .where({ id })
      .update({
        identifiers: null,
        waiting_for: null,
        last_error: null,
        ended_at: transaction.raw('clock_timestamp()'),
      });
    const ended = await findErasure(transaction, id);
    if (ended !== undefined) await recordErasureEvent(transaction, 'end', ended);
  });
}

const erasureColumns = {
  id: 'id',
  organisationId: 'organisation_id',
  tokenId: 'token_id',
  agentKeys: 'agent_keys',
  identifiers: 'identifiers',
  stepsDone: 'steps_done',
  report: 'report',
  attempts: 'attempts',
  waitingFor: 'waiting_for',
  lastError: 'last_error',
  createdAt: 'created_at',
  endedAt: 'ended_at',
} as const satisfies Record<keyof Erasure, string>;

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
