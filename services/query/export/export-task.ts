import { printInlined, type QueryParams } from '../../shared/sql/print-query.ts';
import { noCost, type QueryCost } from '../execution/query-request.ts';
import type { KnownAt } from '../request/metric-query.ts';
import { escapeFormulas } from './escape-formulas.ts';
import type { ExportFormat } from './export-format.ts';
import type { ExportJob } from './export-job.ts';
import type { ExportKind } from './export-record.ts';
import { variantsAsText } from './variants-as-text.ts';

/** The query of a file: its text, and the text with values for the manifest. */
interface FileQuery {
  readonly sql: string;
  readonly params: QueryParams;
  readonly printed: string;
  readonly knownAt?: KnownAt;
}

/** What a process needs to make the file of an export, at first or again. */
export interface ExportTask {
  readonly id: string;
  readonly key: string;
  /** 1, or more after other processes ended before the file was complete. */
  readonly attempt: number;
  readonly createdAt: Date;
  readonly organisationId: number;
  readonly kind: ExportKind;
  readonly format: ExportFormat;
  readonly request: unknown;
  readonly metadataVersion: number;
  readonly route: string;
  readonly isRowPerResult: boolean;
  readonly query: FileQuery;
  readonly cost: QueryCost;
}

/** The part of a task that has no column of its own, as JSON in Postgres while the export runs. */
export interface StoredJob extends Pick<ExportTask, 'route' | 'isRowPerResult'> {
  readonly query: Omit<FileQuery, 'knownAt'> & {
    readonly knownAt?: { readonly moment: string; readonly changeId: number };
  };
}

/** The columns of an export that another replica runs again. */
export interface LostExport extends Omit<
  ExportTask,
  'route' | 'isRowPerResult' | 'query' | 'cost'
> {
  readonly job: StoredJob;
}

export function fileQuery(
  { query, format }: Pick<ExportJob, 'query' | 'format'>,
  { exportEscapeFormulas }: { readonly exportEscapeFormulas: boolean },
): FileQuery {
  // Spreadsheets do not evaluate formulas in Parquet files.
  const final =
    format === 'parquet'
      ? variantsAsText(query)
      : exportEscapeFormulas
        ? escapeFormulas(query)
        : query;
  const { sql, params, knownAt } = final;
  return {
    sql,
    params,
    printed: printInlined(final.query),
    ...(knownAt === undefined ? {} : { knownAt }),
  };
}

export function storedJob({ route, isRowPerResult, query }: ExportTask): StoredJob {
  const { knownAt, ...text } = query;
  return {
    route,
    isRowPerResult,
    query: {
      ...text,
      ...(knownAt && { knownAt: { ...knownAt, moment: knownAt.moment.toISOString() } }),
    },
  };
}

/** With the query of the first attempt: `now` in its request still means the time of the request. */
export function taskOf({ job, ...columns }: LostExport): ExportTask {
  const { knownAt, ...text } = job.query;
  return {
    ...columns,
    route: job.route,
    isRowPerResult: job.isRowPerResult,
    query: {
      ...text,
      ...(knownAt && { knownAt: { ...knownAt, moment: new Date(knownAt.moment) } }),
    },
    cost: noCost(),
  };
}
