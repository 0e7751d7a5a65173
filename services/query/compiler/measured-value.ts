import type { Metric } from '../../catalog/metric.ts';
import { metricValue, ownWeight } from '../../catalog/result.ts';
import { as, type Column } from '../../shared/sql/select.ts';

/** A result's value, and for a rate its own weight, the denominator. */
export function measuredValue(metric: Metric): readonly Column[] {
  return [
    as(metricValue(metric), 'value'),
    ...(metric.measure.kind === 'ratio' ? [as(ownWeight(metric), 'own_weight')] : []),
  ];
}

/** The mean of `value` over a group: for a rate the ratio of sums. */
export function meanOfResults({ measure }: Metric): string {
  return measure.kind === 'value' ? 'avg(value)' : 'avgWeighted(value, own_weight)';
}

/** The block of the metric's schedule that a result falls in, by the hour of its local day. */
export function scheduleBlock({ everyHours }: Metric): string {
  return everyHours === 1 ? 'toHour(local_time)' : `intDiv(toHour(local_time), ${everyHours})`;
}
