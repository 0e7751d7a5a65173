import { aggregationDefinition } from '../../catalog/aggregations.ts';
import type { Metric } from '../../catalog/metric.ts';
import { param, sql } from '../../shared/sql/expression.ts';
import { as, type Step } from '../../shared/sql/select.ts';
import type { AggregateMetricQuery, MetricQuery } from '../request/metric-query.ts';
import type { BucketRange } from '../request/selection.ts';
import {
  compiledQuery,
  type CompiledQuery,
  type DataReads,
  type PointColumn,
  semanticSettings,
} from './compiled-query.ts';
import { bucketColumn, clockText } from './bucket-column.ts';
import { anyOf, utcDays } from './conditions.ts';
import type { NumberLists } from './number-columns.ts';
import { resultsStep } from './results-step.ts';
import { knownPoints } from './known-points.ts';
import { pairedPoints } from './comparison/paired-points.ts';
import { queryOfThere } from './comparison/sides.ts';
import { requestsOfSides, resultsOfSides } from './comparison/results-of-sides.ts';
import { splitColumn, splitForm, type SplitColumn } from './split-column.ts';
import { askedOf, type Plan } from './stage.ts';
import { usedStages } from './stages.ts';

export interface CompileOptions {
  readonly numberLists: NumberLists;
  /** The points of other buckets are partial, in a column that only points in a sequence of time have. Absent: no column. */
  readonly whole?: readonly BucketRange[];
}

/** Compiles a request for metric data. The rows are the points: raw ones by time, aggregates by series. */
export function compileMetricQuery(
  query: MetricQuery,
  options: CompileOptions = { numberLists: 'objects' },
): CompiledQuery {
  const splits = query.splits.map((field, i) => splitColumn(field, i, splitForm(query)));
  const isRaw = query.chartType === 'raw';
  const sides = requestsOf(query);
  const knownAt = sides.flatMap((side) => side.knownAt ?? []);
  const { steps, why, columns, order } = isRaw
    ? rawPoints(query, splits)
    : aggregatedPoints(planOf(query, splits), options);
  return compiledQuery({
    query: {
      steps,
      why,
      select: { columns: columns.map(({ sql, name }) => as(sql, name)), orderBy: order },
      settings: [...semanticSettings(knownAt), ...(isRaw ? [] : settingsOfPoints(query))],
    },
    columns: columns.map(({ name, responseName = name, kind }) => ({ name: responseName, kind })),
    series: {
      keyColumns: isRaw ? 0 : splits.length,
      orders: splits.map((split) => split.orderedAs),
      hasEmptySeries: splits.length === 0,
    },
    reads: { test: query.metric.test, ...daysOf(sides) },
    knownAt,
  });
}

function settingsOfPoints({ report }: AggregateMetricQuery): readonly string[] {
  return [
    // The default computes weighted statistics after ORDER BY, on one core. Raw points are sorted before they become text.
    'query_plan_execute_functions_after_sorting = 0',
    // The default computes what only `if` reads again each time: the arrays of a point for each of its numbers.
    ...(report === undefined ? [] : ["short_circuit_function_evaluation = 'disable'"]),
    // A comparison has twenty steps over a few rows: merging them takes longer than running them one by one.
    ...(report?.compare === undefined ? [] : ['query_plan_merge_expressions = 0']),
  ];
}

/** The request, and that of the other side of a comparison. */
function requestsOf(query: MetricQuery): readonly MetricQuery[] {
  const there = query.chartType === 'raw' ? undefined : queryOfThere(query);
  return there === undefined ? [query] : [query, there];
}

function daysOf(sides: readonly MetricQuery[]): Omit<DataReads, 'test'> {
  const all = utcDays(sides.flatMap(({ times }) => times));
  return sides.length === 1 ? all : { ...all, sides: sides.map(({ times }) => utcDays(times)) };
}

interface Points {
  readonly steps: readonly Step[];
  readonly why: string;
  readonly columns: readonly PointColumn[];
  readonly order: readonly string[];
}

// One series, ordered by all columns, so that the order of rows is the same every time. A split by agent
// or unit adds nothing: these are columns of every raw point.
function rawPoints(query: MetricQuery, splits: readonly SplitColumn[]): Points {
  const asked = askedOf(query);
  const points: readonly PointColumn[] = [
    { name: 'metricValue', kind: 'number', sql: 'value' },
    { name: 'dtime', kind: 'text', sql: clockText('local_time') },
    { name: 'agent', kind: 'text', sql: 'agent_id' },
    { name: 'unit', kind: 'text', sql: "ifNull(toString(unit_id), '')" },
  ];
  const names = points.map(({ name }) => name);
  return {
    steps: [resultsStep(asked, usedStages(asked), splits, ['agent_id', 'unit_id', 'local_time'])],
    why: 'The results in order of time.',
    columns: [
      ...splits.map(({ output }) => output).filter(({ name }) => !names.includes(name)),
      ...points,
    ],
    order: ['local_time', 'agent_id', 'unit_id', 'value', ...splits.map((split) => split.order)],
  };
}

function planOf(query: AggregateMetricQuery, splits: readonly SplitColumn[]): Plan {
  const asked = askedOf(query);
  const sides = requestsOfSides(query);
  const hasBuckets = aggregationDefinition(query.aggregation).bucket !== undefined;
  const bucketKey = hasBuckets ? ['bucket'] : [];
  const sideKey = sides === undefined ? [] : ['side'];
  const assumedKey = query.metric.masked === undefined ? [] : ['assumed'];
  return {
    ...asked,
    uses: sides?.here.uses ?? usedStages(asked),
    ...(sides && { sides }),
    splits,
    bucketKey,
    sideKey,
    assumedKey,
    householdKey: [...(sides?.there === undefined ? [] : sideKey), ...assumedKey, 'agent_key'],
    keys: [...sideKey, ...assumedKey, ...splits.map(({ key }) => key), ...bucketKey],
  };
}

/** The steps of the stages in their order. */
function aggregatedPoints(plan: Plan, options: CompileOptions): Points {
  const { query, uses, splits } = plan;
  const steps = uses.reduce<readonly Step[]>(
    (before, use) => [...before, ...(use.steps?.(plan, before.at(-1)?.name ?? '') ?? [])],
    [resultsOf(plan)],
  );
  const order = splits.map((split) => split.order);
  const keys = splits.map(({ output }) => output);
  const points = uses.flatMap((use) => use.points ?? []);
  const only = points.flatMap((part) => part.only ?? []);
  if (only.length > 0) {
    return { steps, why: 'One point per series.', columns: [...keys, ...only], order };
  }
  const shown = (column: PointColumn) =>
    points.reduce((before, { show }) => show?.(before) ?? before, column);
  const ofPoint = [
    ...points.flatMap(({ numbers }) => numbers?.(options.numberLists) ?? []).map(shown),
    ...points.flatMap(({ marks = [] }) => marks),
  ];
  const known = knownPoints(plan, ofPoint);
  const paired = plan.sides && pairedPoints(plan, known.columns, options.numberLists);
  const [mean, ...others] = paired?.own ?? known.columns;
  return {
    steps: [...steps, ...known.steps, ...(paired?.steps ?? [])],
    why: 'The points, under the names of the answer.',
    columns: [
      ...keys,
      ...(mean === undefined ? [] : [mean]),
      ...bucketColumn(query),
      ...others,
      ...(paired?.added ?? []),
      ...partialColumn(query, options),
    ],
    order: [...order, ...plan.bucketKey],
  };
}

/** The first step. */
function resultsOf(plan: Plan): Step {
  const { query, uses, sides, splits } = plan;
  const { bucket } = aggregationDefinition(query.aggregation);
  const columns = [
    'agent_key',
    'unit_id',
    ...(query.normalised ? [as(scheduleBlock(query.metric), 'block')] : []),
  ];
  if (sides !== undefined) return resultsOfSides(sides, query, columns);
  const ofBucket = bucket === undefined ? [] : [as(bucket, 'bucket')];
  return resultsStep(plan, uses, splits, [
    ...columns.slice(0, 2),
    ...ofBucket,
    ...columns.slice(2),
  ]);
}

/** The schedule block of a result, by its local hour of the day. */
function scheduleBlock({ everyHours }: Metric): string {
  return everyHours === 1 ? 'toHour(local_time)' : `intDiv(toHour(local_time), ${everyHours})`;
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
