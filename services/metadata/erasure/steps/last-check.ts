import { countAgentRows, deleteAgentRows } from '../agent-tables.ts';
import { type Erasure, ErasureWaits } from '../erasure.ts';
import { recordCounts, repeatSteps } from '../erasure-ledger.ts';
import type { ErasureTools } from '../erasure-tools.ts';
import { publishedPeriods } from './await-publication.ts';
import { redactRequests } from './redact-requests.ts';

/**
 * Removes what was being written during the erasure: rows of a load that had begun before it, and
 * requests that were not in the audit yet. An export may have read such rows, so exports are withdrawn
 * again.
 */
export async function lastCheck(tools: ErasureTools, erasure: Erasure): Promise<void> {
  await waitForSettling(tools, erasure);
  await redactRequests(tools, erasure);
  if ((await publishedPeriods(tools, erasure)) > 0) {
    throw new Error('the agents are in the published metadata again');
  }
  const late = await countAgentRows(tools, erasure);
  if (Object.keys(late).length === 0) return;
  const { removed } = erasure.report;
  const total = Object.entries(late).map(([table, rows]) => [table, (removed[table] ?? 0) + rows]);
  await tools.database.transaction((transaction) =>
    recordCounts(transaction, erasure.id, {
      removed: Object.fromEntries(total) as Record<string, number>,
    }),
  );
  await deleteAgentRows(tools, erasure, late);
  await repeatSteps(tools.database, erasure.id, ['exports', 'files']);
  throw new ErasureWaits('another check, since results arrived during the erasure');
}

async function waitForSettling(
  { database, settleMs }: ErasureTools,
  { createdAt }: Erasure,
): Promise<void> {
  const { rows } = await database.raw<{ rows: [{ leftMs: number }] }>(
    `select ? - 1000 * extract(epoch from clock_timestamp() - cast(? as timestamptz))::float8
       as "leftMs"`,
    [settleMs, createdAt],
  );
  const { leftMs } = rows[0];
  if (leftMs <= 0) return;
  const minutes = Math.ceil(leftMs / 60_000);
  throw new ErasureWaits(`the last check, in ${minutes} minutes`);
}
