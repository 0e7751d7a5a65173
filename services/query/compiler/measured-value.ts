import type { AggregateMetricQuery, MetricQuery } from '../request/metric-query.ts';

/** SQL of a result's value, and for a ratio of its own weight, the denominator. */
export function measuredValue({ metric: { measure } }: MetricQuery): readonly string[] {
  return measure.kind === 'value'
    ? [`toFloat64(${measure.value}) AS x`]
    : [
        `100 * ${measure.numerator} / ${measure.denominator} AS x`,
        `toFloat64(${measure.denominator}) AS own_weight`,
      ];
}

/** The mean of `x` over a group: for a ratio the ratio of sums. */
export function meanOfResults({ metric: { measure } }: MetricQuery): string {
  return measure.kind === 'value' ? 'avg(x)' : 'avgWeighted(x, own_weight)';
}

/** The block of the metric's schedule a result falls in, by the hour of its local day. */
export function scheduleBlock({ metric: { everyHours } }: AggregateMetricQuery): string {
  return everyHours === 1 ? 'toHour(local_time)' : `intDiv(toHour(local_time), ${everyHours})`;
}
