import { copyRow, type ScannedRows } from '../rows/scanned-rows.ts';
import type { OpenRows } from '../rows/open-rows.ts';

/** The rows of a block in the column order of the INSERT. */
export interface RowsToInsert {
  readonly bytes: Buffer;
  /** Offset of each row. */
  readonly starts: Uint32Array;
  readonly rowCount: number;
  /** Line of each row. */
  readonly lines: Uint32Array;
  /** Times of the first and the last result, in seconds since 1970. */
  readonly fromS: number;
  readonly toS: number;
  /** The agents of the rows. */
  readonly agentKeys: ReadonlySet<number>;
  /** Rows with the key of an earlier row of the file. */
  readonly duplicates: Duplicates;
}

export interface Duplicates {
  /** Equal to the earlier row in all columns. */
  readonly identical: number;
  readonly different: number;
}

/**
 * Each row after the prefix of its agent. Rows of agents without a prefix are left out, and those that `isRefused`
 * names.
 */
export function rowsToInsert(
  { agents, keys }: OpenRows,
  block: Buffer,
  rows: ScannedRows,
  isRefused: (row: number) => boolean = () => false,
): RowsToInsert {
  const { count } = rows;
  let size = 0;
  for (let i = 0; i < count; i++) {
    const prefix = agents.prefix(rows.agents[i] ?? 0);
    if (prefix === undefined || isRefused(i)) continue;
    size += prefix.length + (rows.ends[i] ?? 0) - (rows.starts[i] ?? 0) + 1;
  }
  const bytes = Buffer.allocUnsafe(size);
  const starts = new Uint32Array(count);
  const lines = new Uint32Array(count);
  const agentKeys = new Set<number>();
  const found = [0, 0, 0];
  let [at, rowCount, fromS, toS] = [0, 0, Infinity, 0];
  for (let i = 0; i < count; i++) {
    const agent = rows.agents[i] ?? 0;
    const prefix = agents.prefix(agent);
    if (prefix === undefined || isRefused(i)) continue;
    agentKeys.add(agents.markUsed(agent));
    const timeS = rows.timesS[i] ?? 0;
    if (timeS < fromS) fromS = timeS;
    if (timeS > toS) toS = timeS;
    const match = keys.add(rows.keys1[i] ?? 0, rows.keys2[i] ?? 0, rows.contents[i] ?? 0);
    found[match] = (found[match] ?? 0) + 1;
    lines[rowCount] = rows.lines[i] ?? 0;
    starts[rowCount++] = at;
    bytes.set(prefix, at);
    at += prefix.length;
    at += copyRow(block, rows, i, bytes, at);
    bytes[at++] = 0x0a;
  }
  const duplicates = { identical: found[1] ?? 0, different: found[2] ?? 0 };
  return {
    bytes,
    starts: starts.subarray(0, rowCount),
    rowCount,
    lines,
    fromS,
    toS,
    agentKeys,
    duplicates,
  };
}

/** The same rows, each after a first column with this value. */
export function withFirstColumn({ bytes, starts }: RowsToInsert, value: string): Buffer {
  const column = Buffer.from(value);
  const result = Buffer.allocUnsafe(bytes.length + starts.length * column.length);
  let at = 0;
  for (let i = 0; i < starts.length; i++) {
    result.set(column, at);
    at += column.length;
    at += bytes.copy(result, at, starts[i], starts[i + 1] ?? bytes.length);
  }
  return result;
}

/** Microseconds since 1970 as ClickHouse reads a DateTime64(6): 1763283399.123456. */
export function unixTime(us: number): string {
  return `${Math.floor(us / 1e6)}.${String(us % 1e6).padStart(6, '0')}`;
}
