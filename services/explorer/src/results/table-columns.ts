import { statistics } from '../../../catalog/statistics.ts';
import type { Point } from '../../../../openapi/client/index.ts';
import { unitText } from '../dom/number-text.ts';
import { isAggregated } from '../series/series.ts';
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
export function tableColumns({ query, metric, series }: QueryResponse): readonly Column[] {
  const first = series[0]?.points[0];
  const unit = metric.unit === '' ? '' : `, ${unitText(metric.unit)}`;
  const splits = query.splits.map((name) => plain(name, name));
  if (first === undefined || !isAggregated(first)) {
    return [
      ...splits,
      plain('dtime', 'dtime, local'),
      plain('agent', 'agent'),
      plain('unit', 'unit'),
      number('metricValue', `metricValue${unit}`),
    ];
  }
  const percentiles = Object.keys(first.percentiles).sort((a, b) => Number(a) - Number(b));
  return [
    ...splits,
    ...(first.dtime === undefined ? [] : [plain('dtime', 'dtime, local')]),
    ...(first.aggregatedNumber === undefined
      ? []
      : [number('aggregatedNumber', hourOrDay(query.aggregation))]),
    number('metricValue', `metricValue${unit}`),
    ...statistics
      .filter(({ name }) => name !== 'metricValue')
      .map(({ name }) => number(name, name)),
    ...percentiles.map((key) => ({
      name: `p${key}`,
      title: `p${key}`,
      isNumber: true,
      of: (point: Point) => (isAggregated(point) ? (point.percentiles[key] ?? null) : null),
    })),
  ];
}

function plain(name: string, title: string): Column {
  return { name, title, isNumber: false, of: (point) => point[name] ?? null };
}

function number(name: string, title: string): Column {
  return { ...plain(name, title), isNumber: true };
}

function hourOrDay(aggregation: string): string {
  return `${aggregation.replaceAll('_', ' ')}, local`;
}
