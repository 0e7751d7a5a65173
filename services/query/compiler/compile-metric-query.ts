import { aggregationDefinition } from '../../catalog/aggregations.ts';
import { percentileNumbers, type Statistic, statistics } from '../../catalog/statistics.ts';
import { param, sql } from '../../shared/sql/expression.ts';
import { as, type Step } from '../../shared/sql/select.ts';
import type { AggregateMetricQuery, BucketRange, MetricQuery } from '../request/metric-query.ts';
import { anyOf } from './any-of.ts';
import { compiledQuery, type CompiledQuery, type PointColumn } from './compiled-query.ts';
import { scheduleBlock } from './measured-value.ts';
import { coverageSteps } from './report/coverage-steps.ts';
import { bucketShareColumns, overBucketsSteps } from './report/over-buckets.ts';
import { floorSteps } from './report/privacy-floor.ts';
import {
  reportPointColumns,
  shownIfEnoughAgents,
  suppressedColumn,
} from './report/report-point-columns.ts';
import { isOfHouseholds } from './report/household-query.ts';
import { reportColumns } from './report/report-results.ts';
import { intervalStep } from './report/report-statistics.ts';
import { resultsStep } from './results-step.ts';
import { semanticSettings } from './semantic-settings.ts';
import { splitColumn, splitForm, type SplitColumn } from './split-column.ts';
import { statisticsSteps } from './statistics-steps.ts';
import { utcDays } from './utc-range.ts';

export interface CompileOptions {
  /** Percentiles, shares and counts of what was left out: an object each for JSON, or a column per number for CSV. */
  readonly numberLists: 'objects' | 'columns';
  /** The points of other buckets are partial, in a column that only points in a sequence of time have. Absent: no column. */
  readonly whole?: readonly BucketRange[];
}

/** Compiles a request for metric data. The rows are the points: raw ones by time, aggregates by series. */
export function compileMetricQuery(
  query: MetricQuery,
  options: CompileOptions = { numberLists: 'objects' },
): CompiledQuery {
  const splits = query.splits.map((field, i) => splitColumn(field, i, splitForm(query)));
  const { steps, columns, order } =
    query.chartType === 'raw' ? rawPoints(query, splits) : aggregatedPoints(query, splits, options);
  return compiledQuery({
    query: {
      steps,
      select: {
        columns: columns.map(({ sql, name }) => as(sql, name)),
        from: steps.at(-1)?.name ?? 'results',
        orderBy: order,
      },
      settings: [
        ...semanticSettings(query.knownAt),
        ...(query.chartType === 'aggregate' ? [beforeSorting] : []),
      ],
    },
    columns: columns.map(({ name, responseName = name, kind }) => ({ name: responseName, kind })),
    series: {
      keyColumns: query.chartType === 'raw' ? 0 : splits.length,
      orders: splits.map((split) => split.orderedAs),
      hasEmptySeries: splits.length === 0,
    },
    reads: { test: query.metric.test, ...utcDays(query.times) },
    ...(query.knownAt && { knownAt: query.knownAt }),
  });
}

/** The default computes weighted statistics after ORDER BY, on one core. Raw points are sorted before they become text. */
const beforeSorting = 'query_plan_execute_functions_after_sorting = 0';

interface Points {
  readonly steps: readonly Step[];
  readonly columns: readonly PointColumn[];
  readonly order: readonly string[];
}

// One series, ordered by all columns, so that the order of rows is the same every time. A split by agent
// or unit adds nothing: these are columns of every raw point.
function rawPoints(query: MetricQuery, splits: readonly SplitColumn[]): Points {
  const points: readonly PointColumn[] = [
    { name: 'metricValue', kind: 'number', sql: 'value' },
    { name: 'dtime', kind: 'text', sql: clockText('local_time') },
    { name: 'agent', kind: 'text', sql: 'agent_id' },
    { name: 'unit', kind: 'text', sql: "ifNull(toString(unit_id), '')" },
  ];
  return {
    steps: [resultsStep(query, splits, ['agent_id', 'unit_id', 'local_time'])],
    columns: [
      ...splitColumns(query, splits).filter(
        (split) => !points.some((point) => point.name === split.name),
      ),
      ...points,
    ],
    order: ['local_time', 'agent_id', 'unit_id', 'value', ...splits.map((split) => split.order)],
  };
}

function aggregatedPoints(
  query: AggregateMetricQuery,
  splits: readonly SplitColumn[],
  options: CompileOptions,
): Points {
  const { bucket } = aggregationDefinition(query.aggregation);
  const bucketKey = bucket === undefined ? [] : ['bucket'];
  const columns = [
    'agent_key',
    'unit_id',
    ...(bucket === undefined ? [] : [as(bucket, 'bucket')]),
    ...(query.normalised ? [as(scheduleBlock(query.metric), 'block')] : []),
    ...reportColumns(query),
  ];
  const order = splits.map((split) => split.order);
  const splitKeys = splits.map(({ key }) => key);
  const toPoints = [
    resultsStep(query, splits, columns),
    ...statisticsSteps(query, [...splitKeys, ...bucketKey]),
    ...floorSteps(query, bucketKey, splits),
    ...overBucketsSteps(query, splitKeys),
    ...coverageSteps(query, splits, query.floor === undefined ? 'statistics' : 'floored'),
  ];
  const withoutLabels = [...toPoints, ...intervalStep(query, toPoints.at(-1)?.name ?? '')];
  const steps = [...withoutLabels, ...labelStep(splits, withoutLabels.at(-1)?.name ?? '')];
  if (query.report?.overBuckets?.kind === 'share') {
    return { steps, columns: [...splitColumns(query, splits), ...bucketShareColumns], order };
  }
  const [mean, ...others] = statistics.map((statistic) => pointColumn(statistic, query));
  const shown = (column: PointColumn) => shownIfEnoughAgents(query, column);
  return {
    steps,
    columns: [
      ...splitColumns(query, splits),
      ...(mean === undefined ? [] : [shown(mean)]),
      ...bucketColumn(query),
      ...others.map(shown),
      ...percentileColumns(options).map(shown),
      ...reportPointColumns(query, options).map(shown),
      ...suppressedColumn(query),
      ...partialColumn(query, options),
    ],
    order: [...order, ...bucketKey],
  };
}

/** The points with the custom values of their ids. */
function labelStep(splits: readonly SplitColumn[], from: string): readonly Step[] {
  const lookups = splits.flatMap((split) => split.lookups);
  if (lookups.length === 0) return [];
  return [{ name: 'labelled', select: { columns: ['*', ...lookups], from } }];
}

function splitColumns(query: MetricQuery, splits: readonly SplitColumn[]): readonly PointColumn[] {
  return splits.map(({ output, name, kind }, i) => {
    const responseName = query.splits[i]?.name ?? name;
    return { sql: output, name, responseName, kind };
  });
}

function pointColumn(
  { name, sql, ofHouseholds = sql }: Statistic,
  query: AggregateMetricQuery,
): PointColumn {
  return { name, kind: 'number', sql: isOfHouseholds(query) ? ofHouseholds : sql };
}

function bucketColumn({ aggregation }: AggregateMetricQuery): readonly PointColumn[] {
  const { shownAs } = aggregationDefinition(aggregation);
  return shownAs === undefined ? [] : [bucketColumns[shownAs]];
}

function partialColumn(
  { aggregation }: AggregateMetricQuery,
  { whole }: CompileOptions,
): readonly PointColumn[] {
  const { kind, shownAs } = aggregationDefinition(aggregation);
  if (kind !== 'time' || whole === undefined) return [];
  // A bound may be a time that DateTime does not have, such as the day before 1970 in a zone behind UTC.
  const type = shownAs === 'date' ? 'Date32' : "DateTime64(0, 'UTC')";
  const bound = (name: string, text: string) => param(name, type, text.replace('T', ' '));
  const isWhole = whole.map(
    ({ from, before }) =>
      sql`(bucket >= ${bound('whole_from', from)} AND bucket < ${bound('whole_before', before)})`,
  );
  return [{ name: 'partial', kind: 'boolean', sql: sql`CAST(NOT ${anyOf(isWhole)}, 'Bool')` }];
}

const bucketColumns = {
  time: { name: 'dtime', kind: 'text', sql: clockText('bucket') },
  date: { name: 'dtime', kind: 'text', sql: 'toString(bucket)' },
  number: { name: 'aggregatedNumber', kind: 'number', sql: 'bucket' },
} as const satisfies Record<string, PointColumn>;

function percentileColumns({ numberLists }: CompileOptions): readonly PointColumn[] {
  if (numberLists === 'columns') {
    return percentileNumbers.map((number, i) => ({
      name: `p${number}`,
      kind: 'number',
      sql: `quantiles[${i + 1}]`,
    }));
  }
  const names = percentileNumbers.map((number) => `'${number}'`).join(', ');
  return [{ name: 'percentiles', kind: 'numbers', sql: `mapFromArrays([${names}], quantiles)` }];
}

/** `2026-01-31T13:00:00` */
function clockText(dateTime: string): string {
  return `formatDateTime(${dateTime}, '%Y-%m-%dT%H:%i:%S')`;
}
