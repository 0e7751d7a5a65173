import { setNewUnits, unregisteredRows } from '../../results/rows/unregistered-rows.ts';
import type { OpenRows, RowsTarget } from '../../results/rows/open-rows.ts';
import { isoTime } from '../../results/rows/row-reader.ts';
import { byLine, type RejectedRow, type ScannedRows } from '../../results/rows/scanned-rows.ts';
import { rowsToInsert } from '../../results/insert/rows-to-insert.ts';

/** What the rows of a request are checked against. */
export interface ResultsTarget extends RowsTarget {
  readonly unknownAgents: 'refuse' | 'register';
  /** How long before an agent exists its results may be. */
  readonly beforeRegistrationS: number;
  readonly nowS: number;
}

/** Scanned rows with the bytes that they are in. */
export interface RowBlock {
  readonly bytes: Buffer;
  readonly rows: ScannedRows;
}

/**
 * Checks the agents and times of scanned rows. Accepts the rows of new agents if the setting allows their
 * registration.
 */
export function checkRows(open: OpenRows, block: RowBlock, target: ResultsTarget) {
  const { agents } = open;
  const { bytes, rows } = block;
  const mayRegister = target.unknownAgents === 'register';
  const newRows = mayRegister && agents.newCount > 0 ? linesOfNewAgents(open, block) : undefined;
  const unregistered = unregisteredRows(open, bytes, rows, !mayRegister).filter(
    ({ line }) => newRows?.has(line) !== true,
  );
  const times = timesBeforeAgents(open, block, target);
  // Without the messages, of which a request keeps only the first.
  const refusedRows = new Set(times.keys());
  return {
    // Of agents that are not registered, were erased or did not exist yet.
    refused: [...unregistered, ...times.values()].sort(byLine),
    // Tells the directory the units of new agents.
    registerUnits: () => setNewUnits(open, bytes, rows),
    toInsert: () => rowsToInsert(open, bytes, rows, (row) => refusedRows.has(row)),
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
      reason: `${group}: ${agents.nameOf(agent)} accepts results from ${isoTime(fromS)} UTC on`,
      group,
      column: 'dtime',
      value: isoTime(timeS),
      text: Buffer.alloc(0),
    });
  }
  return refused;
}
