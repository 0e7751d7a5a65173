import { excludedMetricsKey, isExcluded } from '../../../catalog/excluded-metrics.ts';
import { fieldsOf } from '../../../catalog/fields.ts';
import type { Metric } from '../../../catalog/metric.ts';
import { metrics } from '../../../catalog/metrics.ts';
import {
  endedAt,
  localTime,
  metadataAsOfResult,
  metricValue,
  ownWeight,
  resultsTable,
  resultsView,
  utcOffset,
} from '../../../catalog/result.ts';
import { columnsOfTest, testKeys } from '../../../catalog/test-tables.ts';
import { sql } from '../../../shared/sql/expression.ts';
import { printInlined } from '../../../shared/sql/print-query.ts';
import { as, type Column } from '../../../shared/sql/select.ts';
import type { GeneratedView } from './generated-object.ts';

/** Views of results with the household's metadata and local time when the test ran. */
export function resultViews(): readonly GeneratedView[] {
  return [...resultsViews(), ...metricViews()];
}

/**
 * results_<test>: one row per result, including failed ones, with the columns of the test, and the household's
 * metadata and local time when the test ran. The query service and analysts read it, and neither may read the dictionaries:
 * a row policy filters the view. The values of a metric are in metric_<key>.
 */
function resultsViews(): readonly GeneratedView[] {
  return testKeys.map((key) => ({
    kind: 'view',
    name: resultsView(key),
    isOnShards: true,
    sql: printInlined({
      steps: [],
      select: {
        define: asOfDefinitions,
        columns: [
          'organisation_id',
          'agent_key',
          ...columnsOfTest(key),
          ...asOfColumns,
          ...hashColumns,
        ],
        from: resultsTable(key),
        final: true,
      },
      settings: viewSettings,
    }),
  }));
}

/**
 * metric_<key>: one row per result of a metric, with `value` in its unit, so that plain SQL gives the numbers
 * of the API:
 *
 *   SELECT isp, avg(value) FROM metric_httpget WHERE organisation_id = 1 AND passes_prefilter GROUP BY isp
 *
 * Results of households that are excluded from the metric have `excluded`; the API leaves them out.
 * The mean of a ratio metric is avgWeighted(value, weight); the weight of other metrics is 1.
 */
function metricViews(): readonly GeneratedView[] {
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

// A view may be read from another database, so the name is qualified.
const metadata = (attribute: string) => metadataAsOfResult(attribute, '${database}.agent_metadata');

/**
 * Definitions for asOfColumns. The hashes of time zone and custom values are one attribute, because ClickHouse searches once
 * per attribute.
 */
const asOfDefinitions: readonly Column[] = [
  as(endedAt, 'ended_at'),
  as(metadata('timezone_custom_hash'), 'hashes'),
  as(
    utcOffset('toUInt64(bitShiftRight(hashes, 64))', { dictionary: '${database}.timezone_span' }),
    'clock',
  ),
  as(localTime, 'local_time'),
];

/**
 * The household's metadata and local time when the test ran. Without metadata, isp, package, country, kind and
 * timezone are NULL, custom is empty, and local time is UTC. local_time is a wall-clock time in a UTC-typed value:
 * tools that convert times to their own zone would shift it, but not local_date and local_hour.
 */
const asOfColumns: readonly Column[] = [
  as(metadata('isp'), 'isp'),
  as(metadata('package'), 'package'),
  as(metadata('country'), 'country'),
  as(`nullIf(${metadata('kind')}, '')`, 'kind'),
  as(`JSONExtract(${metadata('custom_json')}, 'Map(String, String)')`, 'custom'),
  as(metadata('timezone'), 'timezone'),
  as("dateDiff('second', ended_at, local_time)", 'utc_offset_s'),
  'local_time',
  as('toDate(local_time)', 'local_date'),
  as('toHour(local_time)', 'local_hour'),
];

/** For the query service: hashes of all custom values, and of ISP and package. */
const hashColumns: readonly Column[] = [
  as('toUInt64(hashes)', 'custom_hash'),
  as(metadata('plan_hash'), 'plan_hash'),
];

/** A custom value of the household when the test ran. */
function asOfCustom(key: string): string {
  return `JSONExtract(${metadata('custom_json')}, '${key}', 'Nullable(String)')`;
}

/** As in the queries of the API: a column of the view must not hide a column of the table. */
const viewSettings = [
  'do_not_merge_across_partitions_select_final = 1',
  'prefer_column_name_to_alias = 1',
];
