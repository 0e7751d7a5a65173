import { printInlined, type QueryParams } from '../../shared/sql/print-query.ts';
import { noCost, type QueryCost } from '../execution/query-request.ts';
import type { KnownAt } from '../request/selection.ts';
import { escapeFormulas } from '../formats/escape-formulas.ts';
import type { ExportFormat } from '../formats/file-format.ts';
import type { ExportDestination, ExportKind } from './export-record.ts';
import { sql } from '../../shared/sql/expression.ts';
import { as } from '../../shared/sql/select.ts';
import { compiledQuery, type CompiledQuery } from '../compiler/compiled-query.ts';
import type { Caller } from '../../shared/auth/caller.ts';

/** The query of a file: its text, and the text with values for the manifest. */
interface FileQuery {
  readonly sql: string;
  readonly params: QueryParams;
  readonly printed: string;
  readonly knownAt: readonly KnownAt[];
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
  /** The request body, unchanged. */
  readonly request: unknown;
  /** The metadata version that was published before the query. */
  readonly metadataVersion: number;
  readonly route: string;
  /** Whether the file has one row per stored result, so that the number of rows can be estimated. */
  readonly isRowPerResult: boolean;
  readonly query: FileQuery;
  readonly cost: QueryCost;
}

/** The part of a task that has no column of its own, as JSON in Postgres while the export runs: a time is a text. */
type StoredJob = Pick<ExportTask, 'route' | 'isRowPerResult' | 'query'>;

/** The columns of an export that another replica runs again. */
export interface LostExport extends Omit<ExportTask, keyof StoredJob | 'cost'> {
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
  return { sql, params, printed: printInlined(final.query), knownAt };
}

export function storedJob({ route, isRowPerResult, query }: ExportTask): string {
  return JSON.stringify({ route, isRowPerResult, query } satisfies StoredJob);
}

/** With the query of the first attempt: `now` in its request still means the time of the request. */
export function taskOf({ job, ...columns }: LostExport): ExportTask {
  // An earlier version stored one moment, or none.
  const stored = [job.query.knownAt as StoredJob['query']['knownAt'] | KnownAt | undefined].flat();
  const knownAt = stored.flatMap((one) =>
    one === undefined ? [] : [{ ...one, moment: new Date(one.moment) }],
  );
  return { ...columns, ...job, query: { ...job.query, knownAt }, cost: noCost() };
}

/** A column of Parquet has one type. A custom field, which may have numbers and texts, becomes a column of texts. */
function variantsAsText(compiled: CompiledQuery): CompiledQuery {
  const { query, columns } = compiled;
  const texts = query.select.columns.map((column, i) => {
    if (columns[i]?.kind !== 'variant' || typeof column === 'string') return column;
    return as(sql`CAST(${column.expression}, 'Nullable(String)')`, column.name);
  });
  return compiledQuery({
    ...compiled,
    query: { ...query, select: { ...query.select, columns: texts } },
  });
}

type TaskField =
  'kind' | 'format' | 'request' | 'metadataVersion' | 'route' | 'isRowPerResult' | 'cost';

/** A validated and compiled export request. */
export interface ExportJob extends Pick<ExportTask, TaskField> {
  readonly caller: Caller;
  readonly destination: ExportDestination;
  readonly query: CompiledQuery;
}
