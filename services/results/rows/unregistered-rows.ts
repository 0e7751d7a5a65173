import { parseCsv } from '../csv.ts';
import type { OpenRows } from './open-rows.ts';
import { type RejectedRow, rowText, type ScannedRows } from './scanned-rows.ts';

/** Sets the units of new agents, from rows that have both columns. */
export function setNewUnits(
  { agents, plan: { unitColumn }, separator }: OpenRows,
  block: Buffer,
  rows: ScannedRows,
): void {
  if (unitColumn === -1) return;
  for (let i = 0; i < rows.count; i++) {
    const agent = rows.agents[i] ?? 0;
    if (!agents.isNew(agent)) continue;
    const [row] = parseCsv(rowText(block, rows, i).toString('utf8'), separator);
    agents.setUnit(agent, row?.[unitColumn] ?? '');
  }
}

/** The rows of agents that are not registered, with the reason. */
export function unregisteredRows(
  { agents, plan: { agentIs } }: OpenRows,
  block: Buffer,
  rows: ScannedRows,
  knownAgentsOnly: boolean,
): RejectedRow[] {
  const unregistered: RejectedRow[] = [];
  for (let i = 0; i < rows.count; i++) {
    const agent = rows.agents[i] ?? 0;
    if (agents.prefix(agent) !== undefined || agents.isExcluded(agent)) continue;
    const name = agents.nameOf(agent);
    const problem = knownAgentsOnly
      ? 'is not registered'
      : 'cannot be registered: another agent has its agent_id or unit_id';
    const erased = agents.erasedReason(agent);
    unregistered.push({
      line: rows.lines[i] ?? 0,
      reason: erased ?? `${name} ${problem}`,
      group: erased === undefined ? `agent ${problem}` : 'agent was erased',
      column: agentIs,
      value: name,
      text: rowText(block, rows, i),
    });
  }
  return unregistered;
}
