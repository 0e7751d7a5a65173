import { type AgentSet, countAgentRows, type RowCounts } from '../agent-tables.ts';
import type { Erasure } from '../erasure.ts';
import { recordCounts } from '../erasure-ledger.ts';
import type { ErasureTools } from '../erasure-tools.ts';
import { agentKeyTables } from './remove-from-registry.ts';

/** Counts before anything is removed: after a crash during a removal the rest would be too few. */
export async function countStored(tools: ErasureTools, erasure: Erasure): Promise<void> {
  const removed = await storedRows(tools, erasure);
  await tools.database.transaction((transaction) =>
    recordCounts(transaction, erasure.id, { removed }),
  );
}

/** The rows of agents in both databases, by table. */
export async function storedRows(
  { database, clickhouse }: Pick<ErasureTools, 'database' | 'clickhouse'>,
  agents: AgentSet,
): Promise<RowCounts> {
  const counts: Record<string, number> = { agents: agents.agentKeys.length };
  for (const table of await agentKeyTables(database)) {
    const [counted] = await database(table)
      .whereIn('agent_key', agents.agentKeys)
      .count<{ count: number }[]>('* as count');
    const count = counted?.count ?? 0;
    if (count > 0) counts[table] = count;
  }
  return { ...counts, ...(await countAgentRows({ clickhouse }, agents)) };
}
