import type { Knex } from 'knex';
import { isUuid } from '../../shared/is-uuid.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import type { Erasure, ErasureReport, ErasureStep } from './erasure.ts';
import { recordErasureEvent } from './record-erasure-event.ts';

/** Undefined if it does not exist. */
export async function findErasure(database: Database, id: string): Promise<Erasure | undefined> {
  // Postgres throws an error if the text is not a UUID.
  if (!isUuid(id)) return undefined;
  return database('erasures').where({ id }).first<Erasure | undefined>(erasureColumns);
}

/** Ids of the erasures that have not ended, oldest first. */
export async function runningErasures(database: Database): Promise<readonly string[]> {
  return database('erasures').whereNull('ended_at').orderBy('created_at').pluck<string[]>('id');
}

export async function recordAttempt(database: Database, id: string): Promise<void> {
  await database('erasures').where({ id }).increment('attempts', 1);
}

export async function recordStep(database: Database, id: string, step: ErasureStep): Promise<void> {
  await database('erasures')
    .where({ id })
    .update({ steps_done: database.raw('array_append(steps_done, ?)', [step]) });
}

/** The steps run again. */
export async function repeatSteps(
  database: Database,
  id: string,
  steps: readonly ErasureStep[],
): Promise<void> {
  await database('erasures')
    .where({ id })
    .update({
      steps_done: database.raw(
        'array(select step from unnest(steps_done) as step where step <> all(?))',
        [[...steps]],
      ),
    });
}

/** Why the last attempt did not complete the erasure. */
export async function recordPause(
  database: Database,
  id: string,
  { waitingFor, error }: { readonly waitingFor: string | null; readonly error: string | null },
): Promise<void> {
  await database('erasures').where({ id }).update({ waiting_for: waitingFor, last_error: error });
}

type Counts = Partial<Pick<ErasureReport, 'removed' | 'redacted' | 'exports'>>;

/**
 * Adds counts to the report. A step that is repeated after a crash finds fewer rows than the first time,
 * so the higher count is kept.
 */
export async function recordCounts(
  transaction: Knex.Transaction,
  id: string,
  { removed = {}, redacted = {}, exports = 0 }: Counts,
): Promise<void> {
  const erasure = await transaction('erasures')
    .where({ id })
    .forUpdate()
    .first<Pick<Erasure, 'report'>>('report');
  const { report } = erasure;
  const counted: ErasureReport = {
    ...report,
    removed: highest(report.removed, removed),
    redacted: highest(report.redacted, redacted),
    exports: Math.max(report.exports, exports),
  };
  await transaction('erasures')
    .where({ id })
    .update({ report: JSON.stringify(counted) });
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
