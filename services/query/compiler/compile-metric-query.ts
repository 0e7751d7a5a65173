import { percentileNumbers } from '../../catalog/point-columns.ts';
import type { AggregateMetricQuery, MetricQuery } from '../request/metric-query.ts';
import type { Column, CompiledQuery } from './compiled-query.ts';
import { measuredValue } from './measured-value.ts';
import { ParamBinder } from './param-binder.ts';
import { medianPosition } from './percentiles.ts';
import { resultRows, type ResultRows } from './result-rows.ts';
import { semanticSettings } from './semantic-settings.ts';
import { list, subquery } from './sql-text.ts';
import { statistics } from './statistics.ts';
import { clockText, timeBucket } from './time-bucket.ts';

export interface CompileOptions {
  /** One object for JSON, or a column each (`p1`, `p5` …) for CSV. */
  readonly percentiles: 'object' | 'columns';
}

/** The query that answers a request for metric data; its rows are the points, series by series. */
export function compileMetricQuery(
  query: MetricQuery,
  options: CompileOptions = { percentiles: 'object' },
): CompiledQuery {
  const binder = new ParamBinder();
  const rows = resultRows(query, binder);
  const selection =
    query.chartType === 'raw' ? rawPoints(query, rows) : aggregatedPoints(query, rows, options);
  const seriesColumns = query.splits.map(({ name }) => name);
  const sql = [
    'SELECT',
    list([
      ...rows.splits.map(({ output, name }) => `${output} AS ${name}`),
      ...selection.columns.map(({ sql, name }) => (sql === name ? name : `${sql} AS ${name}`)),
    ]),
    `FROM ${subquery(selection.from)}`,
    ...orderBy([...rows.splits.map(({ order }) => order), ...selection.order]),
    semanticSettings,
  ].join('\n');
  return {
    sql,
    params: binder.params,
    columns: [
      ...seriesColumns.map((name): Column => ({ name, kind: 'any' })),
      ...selection.columns.map(({ name, kind }) => ({ name, kind })),
    ],
    seriesColumns,
  };
}

interface Selection {
  readonly columns: readonly (Column & { readonly sql: string })[];
  readonly from: string;
  readonly order: readonly string[];
}

// Ordered by all that is shown, so that only rows which look the same could trade places. A split by
// agent or unit has put that column in front already.
function rawPoints(query: MetricQuery, rows: ResultRows): Selection {
  const isSplit = (name: string) => query.splits.some((field) => field.name === name);
  const columns: Selection['columns'] = [
    { name: 'metricValue', kind: 'number', sql: 'x' },
    { name: 'dtime', kind: 'text', sql: clockText('local_time') },
    { name: 'agent', kind: 'text', sql: 'agent_id' },
    { name: 'unit', kind: 'text', sql: 'toString(unit_id)' },
  ];
  return {
    columns: columns.filter(({ name }) => !isSplit(name)),
    from: rows.select(['agent_id', 'unit_id', 'local_time', ...measuredValue(query)]),
    order: ['local_time', 'agent_id', 'unit_id', 'x'],
  };
}

function aggregatedPoints(
  query: AggregateMetricQuery,
  rows: ResultRows,
  options: CompileOptions,
): Selection {
  const bucket = timeBucket(query.aggregation);
  const bucketName = bucket === undefined ? [] : ['bucket'];
  return {
    columns: [
      { name: 'metricValue', kind: 'number', sql: 'mean' },
      ...(bucket === undefined
        ? []
        : [
            {
              name: bucket.column,
              kind: bucket.column === 'dtime' ? ('text' as const) : ('integer' as const),
              sql: bucket.output,
            },
          ]),
      { name: 'stdDev', kind: 'number', sql: 'deviation' },
      { name: 'sampleCount', kind: 'integer', sql: 'samples' },
      { name: 'agentCount', kind: 'integer', sql: 'agents' },
      { name: 'unitCount', kind: 'integer', sql: 'units' },
      { name: 'ci90', kind: 'number', sql: halfWidth('1.644854') },
      { name: 'ci95', kind: 'number', sql: halfWidth('1.959964') },
      { name: 'ci99', kind: 'number', sql: halfWidth('2.575829') },
      { name: 'min', kind: 'number', sql: 'lowest' },
      { name: 'max', kind: 'number', sql: 'highest' },
      { name: 'median', kind: 'number', sql: `quantiles[${medianPosition}]` },
      ...percentileColumns(options),
    ],
    from: statistics(query, rows, {
      names: [...rows.splits.map(({ alias }) => alias), ...bucketName],
      bucket: bucket === undefined ? [] : [`${bucket.key} AS bucket`],
    }),
    order: bucketName,
  };
}

function halfWidth(z: string): string {
  return `${z} * deviation / sqrt(effective_count)`;
}

function percentileColumns({ percentiles }: CompileOptions): Selection['columns'] {
  if (percentiles === 'columns') {
    return percentileNumbers.map((number, i) => ({
      name: `p${number}`,
      kind: 'number',
      sql: `quantiles[${i + 1}]`,
    }));
  }
  const names = percentileNumbers.map((number) => `'${number}'`).join(', ');
  return [
    {
      name: 'percentiles',
      kind: 'percentiles',
      sql: `mapFromArrays([${names}], quantiles)`,
    },
  ];
}

function orderBy(expressions: readonly string[]): string[] {
  return expressions.length === 0 ? [] : [`ORDER BY ${expressions.join(', ')}`];
}
