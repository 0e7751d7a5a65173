import type { ClickHouseClient } from '@clickhouse/client';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import type { PlanOptions } from '../../results/columns/file-plan.ts';
import type { TestColumn } from '../../results/columns/test-columns.ts';
import type { Header } from '../../results/rows/dialect.ts';
import type { RejectLimit } from './summary/reject-limit.ts';

/** Where and how the rows of a file are loaded. */
export interface LoadTarget extends Omit<PlanOptions, 'required'> {
  readonly database: Database;
  readonly clickhouse: ClickHouseClient;
  readonly organisationId: number;
  readonly test: string;
  readonly columns: readonly TestColumn[];
  /** Constants for columns that the file does not have. */
  readonly fallbacks: PlanOptions['constants'];
  /** Finds the column names of files without a header; default: the first line is the header. */
  readonly readHeader?: (firstLine: readonly string[]) => Header;
  /** Units whose rows are counted and left out. */
  readonly excludedUnits?: ReadonlySet<number>;
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
  readonly onRows: (rowCount: number) => void;
}
