import type { ClickHouseClient } from '@clickhouse/client';
import type { Header } from '../../results/csv.ts';
import type { RowsTarget } from '../../results/rows/open-rows.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import type { Encoding } from '../input/text-encoding.ts';
import type { RejectLimit } from './rejects.ts';

/** Where and how the rows of a file are loaded. */
export interface LoadTarget extends Omit<RowsTarget, 'inDatabase' | 'findAgents'>, LoadSettings {
  readonly database: Database;
  readonly clickhouse: ClickHouseClient;
  /** Constants for columns that the file does not have. */
  readonly fallbacks: RowsTarget['constants'];
  /** Finds the column names of files without a header; default: the first line is the header. */
  readonly readHeader?: (firstLine: readonly string[]) => Header;
  readonly onRows: (rowCount: number) => void;
}

/** Options of the command for all its files. */
export interface LoadSettings {
  readonly knownAgentsOnly: boolean;
  /** Stop at the first invalid row. */
  readonly isStrict: boolean;
  readonly rejectLimit: RejectLimit;
  /** Load blocks that were loaded before. */
  readonly again: boolean;
  /** Rows replace stored results with the same key. */
  readonly isReplacing: boolean;
  /** How far in the future the time of a result may be. */
  readonly maxAheadS: number;
  /** Check everything, store nothing. */
  readonly isDryRun: boolean;
  /** Who replaces results, for the audit. */
  readonly actor: string;
  /** Folder of reject files; undefined: next to each file. */
  readonly rejectsDir: string | undefined;
  readonly encoding: Encoding | undefined;
  readonly isJson: boolean;
}
