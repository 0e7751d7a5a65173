import { setTimeout as sleep } from 'node:timers/promises';
import { countAgentRows, deleteAgentRows } from '../agent-tables.ts';
import { type Erasure, type ErasureStep, type ErasureTools, ErasureWaits } from '../erasure.ts';
import { recordCounts } from '../erasure-ledger.ts';
import { dictionaryRows, reloadCustomValues } from '../../snapshot/publication-tables.ts';
import { newDataVersion } from '../../../shared/clickhouse/new-data-version.ts';
import { redactRequests } from './redact-requests.ts';
import { snapshotState } from '../../../registry/versions/snapshot-state.ts';
import { queryRows } from '../../../shared/clickhouse/query-rows.ts';
import { postgresNow } from '../../../shared/postgres/postgres-clock.ts';

/**
 * Deletes results, published metadata, and the stored answers of the organisation. Repeated until no row is left,
 * also on a cluster.
 */
export async function removeResults(tools: ErasureTools, erasure: Erasure): Promise<void> {
  const removed = await countAgentRows(tools, erasure);
  await recordCounts(tools.database, erasure.id, { removed });
  await deleteAgentRows(tools, erasure, removed);
  const [left] = Object.keys(await countAgentRows(tools, erasure));
  if (left !== undefined) throw new ErasureWaits(`ClickHouse to delete rows from ${left}`);
  // `custom_value` has no agents, but the values that only the erased ones had.
  for (const query of reloadCustomValues(tools.cluster)) await tools.clickhouse.command({ query });
  await newDataVersion(tools.clickhouse, erasure.organisationId);
  await tools.clickhouse.command({
    query: `ALTER TABLE stored_answers DELETE WHERE organisation_id = ${erasure.organisationId}`,
    clickhouse_settings: { mutations_sync: '2' },
  });
}

/**
 * Removes what was being written during the erasure: rows of a load that had begun before it, and
 * requests that were not in the audit yet. An export may have read such rows, so exports are withdrawn
 * again.
 */
export async function lastCheck(tools: ErasureTools, erasure: Erasure): Promise<void> {
  const { database, settleMs } = tools;
  const leftMs = settleMs - (await ageMs(tools, erasure));
  if (leftMs > 0) {
    throw new ErasureWaits(`the last check, in ${Math.ceil(leftMs / 60_000)} minutes`);
  }
  await redactRequests(tools, erasure);
  if ((await publishedPeriods(tools, erasure)) > 0) {
    throw new Error('the agents are in the published metadata again');
  }
  const late = await countAgentRows(tools, erasure);
  if (Object.keys(late).length === 0) return;
  const { removed } = erasure.report;
  const total = Object.entries(late).map(([table, rows]) => [table, (removed[table] ?? 0) + rows]);
  await recordCounts(database, erasure.id, {
    removed: Object.fromEntries(total) as Record<string, number>,
  });
  await deleteAgentRows(tools, erasure, late);
  const repeated: ErasureStep[] = ['exports', 'files'];
  const others = 'array(select step from unnest(steps_done) as step where step <> all(?))';
  await database('erasures')
    .where({ id: erasure.id })
    .update({ steps_done: database.raw(others, [repeated]) });
  throw new ErasureWaits('another check, since results arrived during the erasure');
}

/** By the clock of Postgres. */
async function ageMs({ database }: ErasureTools, { createdAt }: Erasure): Promise<number> {
  return (await postgresNow(database)).getTime() - createdAt.getTime();
}

/**
 * Waits until the publisher has published the metadata without the agents. The rows of earlier
 * publications are deleted with the results, by the next step.
 */
export async function awaitPublication(tools: ErasureTools, erasure: Erasure): Promise<void> {
  const deadlineMs = performance.now() + publicationWaitMs;
  while (!(await isForgotten(tools, erasure))) {
    if (performance.now() > deadlineMs) {
      throw new ErasureWaits('the metadata service to publish the metadata without the agents');
    }
    await sleep(pollMs);
  }
}

/** Most publications take less than a second. Other erasures wait meanwhile. */
const publicationWaitMs = 2_000;
const pollMs = 500;

/** Whether no published metadata has the agents, now and when the changes before the erasure are published. */
async function isForgotten(tools: ErasureTools, erasure: Erasure): Promise<boolean> {
  const { lagS } = await snapshotState(tools.database);
  const isPublished = lagS * 1000 < (await ageMs(tools, erasure));
  return isPublished && (await publishedPeriods(tools, erasure)) === 0;
}

/** Periods of the agents in the dictionaries, on all nodes. */
async function publishedPeriods(
  { clickhouse, cluster }: ErasureTools,
  { agentKeys }: Erasure,
): Promise<number> {
  const keys = agentKeys.map((key) => String(BigInt(key))).join(', ');
  const counts = ['agent_metadata', 'agent_metadata_changes'].map(
    (dictionary) =>
      `(SELECT count() FROM ${dictionaryRows(dictionary, cluster)} WHERE agent_key IN (${keys}))`,
  );
  const [row] = await queryRows<{ count: string }>(
    clickhouse,
    `SELECT toString(${counts.join(' + ')}) AS count`,
  );
  return Number(row?.count ?? 0);
}
