import { fieldsOf } from '../../catalog/fields.ts';
import type { Metric } from '../../catalog/metric.ts';

/** A metric in the response of GET /metrics, with its SQL. */
export function listedMetric(metric: Metric) {
  const fields = fieldsOf(metric).map(({ name }) => name);
  return {
    key: metric.key,
    name: metric.name,
    unit: metric.unit,
    better: metric.better,
    description: metric.description,
    keywords: metric.keywords,
    aliases: metric.aliases,
    test: metric.test,
    chartTypes: metric.raw ? ['raw', 'aggregate'] : ['aggregate'],
    madeOf: {
      ...measureOf(metric),
      results: metric.existsWhen,
      prefilter: metric.prefilter,
      everyHours: metric.everyHours,
    },
    splits: fields,
    filters: fields,
  };
}

function measureOf({ measure }: Metric) {
  return measure.kind === 'value'
    ? { value: measure.value }
    : { numerator: measure.numerator, denominator: measure.denominator };
}
