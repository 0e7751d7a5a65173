import type { MultilineFields } from '../../../results/rows/multiline-fields.ts';
import type { Duplicates } from '../../../results/store/rows-to-insert.ts';
import type { AgentsWithoutMetadata } from '../store/agents-without-metadata.ts';
import type { DifferingRows } from '../store/stored-rows.ts';
import type { RejectReason } from './reject-counts.ts';

/**
 * What became of a file. rowsRead = loaded + alreadyThere + duplicates + rejected + excluded, unless loaded is
 * null. In a dry run, loaded are the rows that would be sent.
 */
export interface LoadSummary {
  readonly rowsRead: number;
  /** Results that have a row of this run. null: sent, but the role may not count them. */
  readonly loaded: number | null;
  readonly sent: number;
  /** Rows whose result was stored before, by an earlier run, another file or another loader. */
  readonly alreadyThere: number;
  /** Rows with the agent, time and other key columns of an earlier row of the file. The first is kept. */
  readonly duplicates: Duplicates;
  /**
   * Rows whose result was stored before with other values. It was kept, or replaced with --replace. null: the role may
   * not compare them.
   */
  readonly differing: (DifferingRows & { readonly replaced: boolean }) | null;
  readonly rejected: number;
  readonly rejectedBecause: readonly RejectReason[];
  readonly rejectFile: string | null;
  /** Rows of units that the release excludes. */
  readonly excluded: number;
  /** Values per column that were rounded to a whole number. */
  readonly rounded: Readonly<Record<string, number>>;
  readonly timesWithoutTimeOfDay: number;
  /** Valid rows with a quoted field over several lines. */
  readonly multiline: MultilineFields | null;
  /** First and last day of the valid rows, UTC. */
  readonly days: { readonly first: string; readonly last: string } | null;
  readonly agentsRegistered: number;
  readonly agentsWithout: AgentsWithoutMetadata;
  readonly hasHeader: boolean;
  readonly format: string;
  readonly encoding: string;
  /** Of a CSV file. */
  readonly separator: string;
  readonly lineEnds: string;
  readonly missingColumns: readonly string[];
  readonly ignoredColumns: readonly string[];
}

/** A file of the run. */
export type FileOutcome = {
  readonly file: string;
  readonly test: string | null;
} & (
  | ({ readonly status: 'loaded' } & LoadSummary)
  /** `unsupported`: there is no test for the file. `skipped`: it could not be read. */
  | { readonly status: 'skipped'; readonly reason: string }
  | { readonly status: 'unsupported'; readonly reason: string }
);

/** Splits the valid rows of a run into new results, duplicates and results that were there before. */
export function accountFor(
  { sent, recorded, duplicates }: SentRows,
  stored: number | undefined,
): Pick<LoadSummary, 'loaded' | 'alreadyThere' | 'duplicates'> {
  if (stored === undefined) return { loaded: null, alreadyThere: recorded, duplicates };
  // A duplicate is stored after all if the row before it was in a recorded block and is gone.
  const notStored = Math.max(0, sent - stored);
  const different = Math.min(duplicates.different, notStored);
  const identical = Math.min(duplicates.identical, notStored - different);
  return {
    loaded: stored,
    alreadyThere: recorded + notStored - different - identical,
    duplicates: { identical, different },
  };
}

interface SentRows {
  readonly sent: number;
  readonly recorded: number;
  readonly duplicates: Duplicates;
}
