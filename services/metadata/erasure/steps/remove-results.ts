import { countAgentRows, deleteAgentRows } from '../agent-tables.ts';
import { type Erasure, ErasureWaits } from '../erasure.ts';
import { recordCounts } from '../erasure-ledger.ts';
import type { ErasureTools } from '../erasure-tools.ts';
import { reloadCustomValues } from '../../snapshot/publication-tables.ts';
import { newDataVersion } from '../../../shared/clickhouse/new-data-version.ts';

/**
 * Deletes results, published metadata, and the stored answers of the organisation. Repeated until no row is left,
 * also on a cluster.
 */
export async function removeResults(tools: ErasureTools, erasure: Erasure): Promise<void> {
  const removed = await countAgentRows(tools, erasure);
  await tools.database.transaction((transaction) =>
    recordCounts(transaction, erasure.id, { removed }),
  );
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
