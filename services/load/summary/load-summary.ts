import type { MultilineFields } from '../../results/rows/multiline-fields.ts';
import type { Duplicates } from '../../results/insert/rows-to-insert.ts';
import type { AgentsWithoutMetadata } from './agents-without-metadata.ts';
import type { DifferingRows } from '../blocks/stored-rows.ts';
import type { RejectReason } from '../blocks/rejects.ts';

/**
 * The outcome of loading a file. rowsRead = loaded + alreadyThere + duplicates + rejected + excluded. In a dry run, loaded
 * counts the rows that would be sent.
 */
export interface LoadSummary {
  readonly rowsRead: number;
  /** Results that have a row of this run. */
  readonly loaded: number;
  readonly sent: number;
  /** Rows whose result was stored before, by an earlier run, another file or another loader. */
  readonly alreadyThere: number;
  /** Rows with the agent, time and other key columns of an earlier row of the file. The first is kept. */
  readonly duplicates: Duplicates;
  /** Rows whose result was stored before with other values. It was kept, or replaced with --replace. */
  readonly differing: DifferingRows & { readonly replaced: boolean };
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
