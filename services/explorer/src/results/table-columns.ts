import { findMetric } from '../../../catalog/metrics.ts';
import { householdIntervals, statistics } from '../../../catalog/statistics.ts';
import type { Point } from '../../../../openapi/client/index.ts';
import { unitText } from '../dom/number-text.ts';
import { isAggregated } from '../series/series.ts';
import type { Query } from '../state/view-state.ts';
import type { QueryResponse } from './query-response.ts';

export type Cell = string | number | null;

export interface Column {
  /** Column name in the CSV file. */
  readonly name: string;
  readonly title: string;
  readonly isNumber: boolean;
  readonly of: (point: Point) => Cell;
}

/** The columns of the CSV file, in its order. */
export function tableColumns({
  query,
  aggregation,
  metric,
  series,
  splitNames,
}: QueryResponse): readonly Column[] {
  const first = series[0]?.points[0];
  const unit = metric.unit === '' ? '' : `, ${unitText(metric.unit)}`;
  const splits = query.splits.map((name, i) => plain(name, splitNames[i] ?? name));
  if (first === undefined || !isAggregated(first)) {
    return [
      ...splits,
      plain('dtime', 'Local time'),
      plain('agent', 'Agent'),
      plain('unit', 'Unit'),
      number('metricValue', `Value${unit}`),
    ];
  }
  const percentiles = Object.keys(first.percentiles).sort((a, b) => Number(a) - Number(b));
  return [
    ...splits,
    ...(first.dtime === undefined ? [] : [plain('dtime', 'Local time'), partialColumn]),
    ...(first.aggregatedNumber === undefined
      ? []
      : [number('aggregatedNumber', hourOrDay(aggregation))]),
    number('metricValue', `${findMetric(metric.key)?.stored ? 'Mean, or median' : 'Mean'}${unit}`),
    ...intervalsOf(first),
    ...statistics
      .filter(({ name }) => name !== 'metricValue')
      .map(({ name }) => number(name, titleOf(name, query))),
    ...percentiles.map((key) => ({
      name: `p${key}`,
      title: key === '50' ? 'Median (p50)' : `p${key}`,
      isNumber: true,
      of: (point: Point) => (isAggregated(point) ? (point.percentiles[key] ?? null) : null),
    })),
  ];
}

function titleOf(name: string, { view, agentAgg }: Query): string {
  const [, percent] = /^ci(\d+)$/.exec(name) ?? [];
  if (percent === undefined) return columnTitles[name] ?? name;
  // A threshold is compared with one value per household.
  const hasHouseholdValues = agentAgg || view === 'threshold';
  return `± ${percent}% (${hasHouseholdValues ? 'households' : 'results'})`;
}

/** Readable column names; the CSV file has the API's names. */
const columnTitles: Readonly<Record<string, string>> = {
  stdDev: 'Standard deviation',
  sampleCount: 'Results',
  agentCount: 'Agents',
  unitCount: 'Units',
  min: 'Lowest',
  max: 'Highest',
  median: 'Median',
};

const partialColumn: Column = {
  name: 'partial',
  title: 'Partial',
  isNumber: false,
  of: (point) => (point.partial === true ? 'yes' : null),
};

/** Only in responses to requests that ask for them. */
function intervalsOf(first: Point): readonly Column[] {
  return householdIntervals
    .filter(({ name }) => name in first)
    .map(({ name }) => number(name, `± ${name.slice(-2)}% (households)`));
}

function plain(name: string, title: string): Column {
  return { name, title, isNumber: false, of: (point) => (point[name] ?? null) as Cell };
}

function number(name: string, title: string): Column {
  return { ...plain(name, title), isNumber: true };
}

function hourOrDay(aggregation: string): string {
  return `${aggregation.replaceAll('_', ' ')}, local`;
}
