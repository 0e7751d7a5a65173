import { excludedMetricsKey, isExcluded } from '../../../catalog/excluded-metrics.ts';
import { fieldsOf } from '../../../catalog/fields.ts';
import type { Metric } from '../../../catalog/metric.ts';
import { metrics } from '../../../catalog/metrics.ts';
import { metricValue, ownWeight, resultsTable } from '../../../catalog/result.ts';
import { sql } from '../../../shared/sql/expression.ts';
import { printInlined } from '../../../shared/sql/print-query.ts';
import { as, type Column } from '../../../shared/sql/select.ts';
import { asOfColumns, asOfCustom, asOfDefinitions, viewSettings } from './as-of-columns.ts';
import type { GeneratedView } from './generated-object.ts';

/**
 * metric_<key>: one row per result of a metric, with `value` in its unit, so that plain SQL gives the numbers
 * of the API:
 *
 *   SELECT isp, avg(value) FROM metric_httpget WHERE organisation_id = 1 AND passes_prefilter GROUP BY isp
 *
 * Results of households that are excluded from the metric have `excluded`; the API leaves them out.
 * The mean of a ratio metric is avgWeighted(value, weight); the weight of other metrics is 1.
 */
export function metricViews(): readonly GeneratedView[] {
  return metrics.map((metric) => ({
    kind: 'view',
    name: `metric_${metric.key}`,
    sql: printInlined({
      steps: [],
      select: {
        define: asOfDefinitions,
        columns: [
          'organisation_id',
          'agent_key',
          'agent_id',
          'unit_id',
          'dtime',
          as(metricValue(metric), 'value'),
          as(ownWeight(metric), 'weight'),
          as(`toBool(ifNull(${metric.prefilter}, 0))`, 'passes_prefilter'),
          as(sql`toBool(${isExcluded(metric, asOfCustom(excludedMetricsKey))})`, 'excluded'),
          ...columnFields(metric),
          ...asOfColumns,
        ],
        from: resultsTable(metric.test),
        final: true,
        where: [metric.existsWhen],
      },
      settings: viewSettings,
    }),
  }));
}

/** The fields that are columns of the test, with their names in requests. An empty text is NULL, as in the API. */
function columnFields(metric: Metric): readonly Column[] {
  return fieldsOf(metric).flatMap(({ name, source }) => {
    if (source.kind !== 'column' || name === 'agent' || name === 'unit') return [];
    return [as(source.type === 'text' ? `nullIf(${source.column}, '')` : source.column, name)];
  });
}
