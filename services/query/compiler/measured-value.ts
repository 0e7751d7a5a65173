import type { Metric } from '../../catalog/metric.ts';
import { metricValue, ownWeight } from '../../catalog/result.ts';
import { as, type Column } from '../../shared/sql/select.ts';

/** The value of a result, and for a ratio metric its weight, the denominator. */
export function measuredValue(metric: Metric): readonly Column[] {
  return [
    as(metricValue(metric), 'value'),
    ...(metric.measure.kind === 'ratio' ? [as(ownWeight(metric), 'own_weight')] : []),
  ];
}

/** The mean of `value` over a group; for a ratio metric the ratio of sums. */
export function meanOfResults({ measure }: Metric): string {
  return measure.kind === 'value' ? 'avg(value)' : 'avgWeighted(value, own_weight)';
}

/** The schedule block of a result, by its local hour of the day. */
export function scheduleBlock({ everyHours }: Metric): string {
  return everyHours === 1 ? 'toHour(local_time)' : `intDiv(toHour(local_time), ${everyHours})`;
}
