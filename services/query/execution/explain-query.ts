import { rowsOf } from '../../shared/clickhouse/query-rows.ts';
import type { CompiledQuery } from '../compiler/compiled-query.ts';
import { paramText, printInlined } from '../../shared/sql/print-query.ts';
import type { QueryRequest } from './query-request.ts';
import type { QueryRunner } from './query-runner.ts';
import { type QueryLimits, querySettings } from './query-settings.ts';

/** Returns everything needed to run the query of a request in a ClickHouse client. */
export async function explainQuery(
  runner: QueryRunner,
  compiled: CompiledQuery,
  limits: QueryLimits & { readonly clickhouseDatabase: string },
  request: QueryRequest,
) {
  return {
    sql: compiled.sql,
    params: Object.fromEntries(
      Object.entries(compiled.params).map(([name, { type, value }]) => [
        name,
        { type, value: paramText(value) },
      ]),
    ),
    inlined: printInlined(compiled.query, limits.clickhouseDatabase),
    settings: querySettings(limits),
    estimate: {
      ...(await estimateReads(runner, compiled, request)),
      slots: await runner.slotsOf(request.organisationId, compiled),
    },
  };
}

/** What a query would read, estimated from the primary key without reading any rows. */
async function estimateReads(
  runner: QueryRunner,
  { sql, params, knownAt }: CompiledQuery,
  request: QueryRequest,
) {
  // Otherwise ClickHouse runs the subqueries of IN to estimate the marks.
  const settings = { use_index_for_in_with_subqueries: 0 } as const;
  const run = <Row>(explain: string) =>
    rowsOf<Row>(runner.runQuery({ sql: `${explain} ${sql}`, params, settings, knownAt }, request));
  const tables = await run<EstimatedTable>('EXPLAIN ESTIMATE');
  const [plan] = await run<{ explain: string }>('EXPLAIN PLAN json = 1, header = 1');
  const reads = readsOf(JSON.parse(plan?.explain ?? '[]') as PlanNode[]);
  const sizes = await rowsOf<ColumnSizes>(runner.runQuery(columnSizes(reads), request));
  const bytesPerRow = new Map(sizes.map((size) => [size.table, size.bytes_per_row]));
  const total = (amount: (table: EstimatedTable) => number) =>
    tables.reduce((sum, table) => sum + amount(table), 0);
  return {
    parts: total(({ parts }) => parts),
    marks: total(({ marks }) => marks),
    rows: total(({ rows }) => rows),
    // Uncompressed, of the query's columns and those of the sorting key, which FINAL needs.
    bytes: Math.round(total(({ table, rows }) => rows * (bytesPerRow.get(table) ?? 0))),
  };
}

export interface EstimatedTable {
  readonly table: string;
  readonly parts: number;
  readonly rows: number;
  readonly marks: number;
}

interface ColumnSizes {
  readonly table: string;
  readonly bytes_per_row: number;
}

interface TableRead {
  readonly table: string;
  readonly columns: readonly string[];
}

interface PlanNode {
  readonly Plan?: PlanNode;
  readonly Plans?: readonly PlanNode[];
  readonly 'Node Type'?: string;
  /** `netpanel.test_httpget` */
  readonly Description?: string;
  readonly Header?: readonly { readonly Name: string }[];
}

function readsOf(nodes: readonly PlanNode[]): TableRead[] {
  return nodes.flatMap((node) => [
    ...(node['Node Type'] === 'ReadFromMergeTree' ? [tableRead(node)] : []),
    ...readsOf(node.Plans ?? []),
    ...readsOf(node.Plan === undefined ? [] : [node.Plan]),
  ]);
}

function tableRead({ Description = '', Header = [] }: PlanNode): TableRead {
  return {
    table: Description.slice(Description.indexOf('.') + 1),
    columns: Header.map(({ Name }) => Name),
  };
}

function columnSizes(reads: readonly TableRead[]) {
  return {
    sql: `SELECT table, sum(data_uncompressed_bytes) / any(total_rows) AS bytes_per_row
FROM system.columns AS c
INNER JOIN (SELECT name AS table, total_rows FROM system.tables WHERE database = currentDatabase()) AS t USING (table)
WHERE database = currentDatabase() AND table IN {tables:Array(String)}
  AND (name IN {columns:Array(String)} OR is_in_sorting_key)
GROUP BY table`,
    params: {
      tables: { type: 'Array(String)', value: reads.map(({ table }) => table) },
      columns: { type: 'Array(String)', value: reads.flatMap(({ columns }) => columns) },
    },
  };
}
