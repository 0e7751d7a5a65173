import { statistics } from '../../../catalog/statistics.ts';
import type { Point } from '../api/data-types.ts';
import { unitText } from '../dom/number-text.ts';
import { isAggregated } from '../series/series.ts';
import type { Answer } from './answer.ts';

export type Cell = string | number | null;

export interface Column {
  /** As the CSV file spells it. */
  readonly name: string;
  readonly title: string;
  readonly isNumber: boolean;
  readonly of: (point: Point) => Cell;
}

/** The columns of the CSV file, in its order. */
export function tableColumns({ question, metric, series }: Answer): readonly Column[] {
  const first = series[0]?.points[0];
  const unit = metric.unit === '' ? '' : `, ${unitText(metric.unit)}`;
  const splits = question.splits.map((name) => plain(name, name));
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
      : [number('aggregatedNumber', hourOrDay(question.aggregation))]),
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
  return { name, title, isNumber: false, of: (point) => (point[name] ?? null) as Cell };
}

function number(name: string, title: string): Column {
  return { ...plain(name, title), isNumber: true };
}

function hourOrDay(aggregation: string): string {
  return `${aggregation.replaceAll('_', ' ')}, local`;
}
