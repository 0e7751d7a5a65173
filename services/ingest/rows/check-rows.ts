import { setNewUnits, unregisteredRows } from '../../results/agents/unregistered-rows.ts';
import { isoTime } from '../../results/rows/row-reader.ts';
import type { RejectedRow } from '../../results/rows/scanned-rows.ts';
import { type RowsToInsert, rowsToInsert } from '../../results/store/rows-to-insert.ts';
import type { OpenRows, RowBlock } from './open-rows.ts';
import type { ResultsTarget } from './results-target.ts';

interface CheckedRows {
  /** Of agents that are not registered, were erased or did not exist yet, by line. */
  readonly refused: readonly RejectedRow[];
  /** Tells the directory the units of new agents. */
  readonly registerUnits: () => void;
  readonly toInsert: () => RowsToInsert;
}

/**
 * Checks the agents and times of scanned rows. The rows of new agents are not refused while the setting allows to
 * register them.
 */
export function checkRows(open: OpenRows, block: RowBlock, target: ResultsTarget): CheckedRows {
  const { agents, plan, separator, keys } = open;
  const { bytes, rows } = block;
  const mayRegister = target.unknownAgents === 'register';
  const newRows = mayRegister && agents.hasNew ? linesOfNewAgents(open, block) : undefined;
  const unregistered = unregisteredRows(rows, bytes, agents, plan, !mayRegister).filter(
    ({ line }) => newRows?.has(line) !== true,
  );
  const times = timesBeforeAgents(open, block, target);
  // Without the messages, of which a request keeps only the first.
  const refusedRows = new Set(times.keys());
  return {
    refused: [...unregistered, ...times.values()].sort((a, b) => a.line - b.line),
    registerUnits: () => setNewUnits(agents, plan, separator, bytes, rows),
    toInsert: () => rowsToInsert(bytes, rows, agents, keys, (row) => refusedRows.has(row)),
  };
}

function linesOfNewAgents({ agents }: OpenRows, { rows }: RowBlock): ReadonlySet<number> {
  const lines = rows.lines.subarray(0, rows.count);
  return new Set(lines.filter((_line, row) => agents.isNew(rows.agents[row] ?? -1)));
}

/** The rows whose time is before their agent existed, by their place in the block. */
function timesBeforeAgents(
  { agents }: OpenRows,
  { rows }: RowBlock,
  { nowS, beforeRegistrationS }: ResultsTarget,
): ReadonlyMap<number, RejectedRow> {
  const refused = new Map<number, RejectedRow>();
  const group = 'dtime is before the agent existed';
  for (let row = 0; row < rows.count; row++) {
    const agent = rows.agents[row] ?? 0;
    if (agents.prefix(agent) === undefined) continue;
    const timeS = rows.timesS[row] ?? 0;
    const fromS = (agents.existsFromS(agent) ?? nowS) - beforeRegistrationS;
    if (timeS >= fromS) continue;
    refused.set(row, {
      line: rows.lines[row] ?? 0,
      reason: `${group}: ${agents.nameOf(agent)} takes results from ${isoTime(fromS)} UTC on`,
      group,
      column: 'dtime',
      value: isoTime(timeS),
      text: Buffer.alloc(0),
    });
  }
  return refused;
}
