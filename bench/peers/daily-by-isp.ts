/** One row of the query that all peers run: the download speed of an ISP on a local day. */
export interface DailyByIsp {
  readonly isp: string;
  readonly day: string;
  readonly mean: number;
  readonly samples: number;
  readonly agents: number;
  readonly median: number;
  readonly p95: number;
}

/** A system with the rows of the panel that can run the query. */
export interface Peer {
  readonly name: string;
  /** The text that a user has to write. */
  readonly queryText: string;
  readonly run: () => Promise<readonly DailyByIsp[]>;
  readonly close: () => Promise<void>;
}

/** The first row in which two results differ by more than rounding, or undefined. */
export function firstDifference(
  ours: readonly DailyByIsp[],
  theirs: readonly DailyByIsp[],
): string | undefined {
  const keyed = new Map(theirs.map((row) => [`${row.day} ${row.isp}`, row]));
  if (keyed.size !== ours.length) return `${ours.length} rows against ${keyed.size}`;
  for (const row of ours) {
    const other = keyed.get(`${row.day} ${row.isp}`);
    if (other === undefined) return `${row.day} ${row.isp} is missing`;
    for (const name of ['mean', 'samples', 'agents', 'median', 'p95'] as const) {
      if (Math.abs(row[name] - other[name]) > 1e-6 * Math.abs(row[name])) {
        return `${row.day} ${row.isp} ${name}: ${row[name]} against ${other[name]}`;
      }
    }
  }
  return undefined;
}
