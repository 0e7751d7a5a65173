import { setNewUnits, unregisteredRows } from '../../results/agents/unregistered-rows.ts';
import type { RejectedRow } from '../../results/rows/scanned-rows.ts';
import { type RowsToInsert, rowsToInsert } from '../../results/store/rows-to-insert.ts';
import type { OpenRows, RowBlock } from './open-rows.ts';
import type { ResultsTarget } from './results-target.ts';

interface CheckedRows {
  /** Of agents that are not registered or were erased, and with impossible times, by line. */
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
  const times = impossibleTimes(open, block, target);
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

/** The rows whose time is in the future, or before their agent existed, by their place in the block. */
function impossibleTimes(
  { agents }: OpenRows,
  { rows }: RowBlock,
  { nowS, maxAheadS, beforeRegistrationS }: ResultsTarget,
): ReadonlyMap<number, RejectedRow> {
  const refused = new Map<number, RejectedRow>();
  const refuse = (row: number, group: string, detail: string) =>
    refused.set(row, {
      line: rows.lines[row] ?? 0,
      reason: `${group}: ${detail}`,
      group,
      column: 'dtime',
      value: isoTime(rows.timesS[row] ?? 0),
      text: Buffer.alloc(0),
    });
  for (let row = 0; row < rows.count; row++) {
    const agent = rows.agents[row] ?? 0;
    if (agents.prefix(agent) === undefined) continue;
    const timeS = rows.timesS[row] ?? 0;
    const fromS = (agents.existsFromS(agent) ?? nowS) - beforeRegistrationS;
    if (timeS > nowS + maxAheadS) {
      refuse(row, 'dtime is in the future', `the time is ${isoTime(nowS)} UTC`);
    } else if (timeS < fromS) {
      const since = `${agents.nameOf(agent)} takes results from ${isoTime(fromS)} UTC on`;
      refuse(row, 'dtime is before the agent existed', since);
    }
  }
  return refused;
}

// 2026-11-15 18:30:00
function isoTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');
}
