import { customField } from './fields.ts';
import type { Metric } from './metric.ts';

/**
 * The custom field that excludes an agent from metrics for a period, because a publisher found its results unusable: the
 * keys of the metrics, separated by commas without spaces.
 */
export const excludedMetricsKey = 'excluded_metrics';

export const excludedMetrics = customField(`custom.${excludedMetricsKey}`, excludedMetricsKey);

/** SQL of whether a value of the field, which may be NULL, has the metric. */
export function isExcluded<T>({ key }: Metric, value: T): readonly [string, T, string] {
  return ["position(concat(',', ifNull(", value, `, ''), ','), ',${key},') > 0`];
}
