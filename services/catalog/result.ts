import type { Metric } from './metric.ts';
import { testTable, type TestKey } from './test-tables.ts';

// SQL that defines a result, for the compiler and for the views of analysts.

/**
 * The table whose rows, read with FINAL, are the results of a test. Most tests have one row per result. A
 * download with several sequences and a route with several hops have more; the last row is the result.
 */
export function resultsTable(test: TestKey): string {
  return testTable(test).lastRowBy === undefined ? `test_${test}` : `last_rows_${test}`;
}

/** When the test ended, to the second: the key for lookups of metadata and UTC offsets. */
export const endedAt = 'toDateTime(dtime)';

/** The household's local time at `ended_at`, as a wall-clock time in a UTC-typed value; UTC without a time zone. */
export function localTime(timezone: string, dictionary = 'timezone_offset'): string {
  return `addSeconds(ended_at, dictGetOrDefault('${dictionary}', 'utc_offset_s',
    ifNull(${timezone}, 'UTC'), ended_at, 0))`;
}

/**
 * The household's metadata when the test ended, in one lookup: a value for one attribute, a named tuple for
 * several. Unknown values are NULL.
 */
export function metadataAsOfResult(
  attributes: readonly string[],
  dictionary = 'agent_metadata',
): string {
  const names = attributes.map((attribute) => `'${attribute}'`).join(', ');
  if (attributes.length === 1) return `dictGet('${dictionary}', ${names}, agent_key, ended_at)`;
  return `dictGet('${dictionary}', (${names}),
    agent_key, ended_at)`;
}

/** Whether a row is a result of any of these metrics, which are of one test. */
export function isResultOfAny(metrics: readonly Metric[]): string {
  const conditions = new Set(metrics.map(({ existsWhen }) => existsWhen));
  if (conditions.has('1')) return '1';
  return [...conditions].map((condition) => `(${condition})`).join(' OR ');
}

/** The value of a result, in the unit of the metric. */
export function metricValue({ measure }: Metric): string {
  return measure.kind === 'value'
    ? `toFloat64(${measure.value})`
    : `100 * ${measure.numerator} / ${measure.denominator}`;
}

/** The weight of a result: the denominator for a ratio metric, otherwise 1. */
export function ownWeight({ measure }: Metric): string {
  return measure.kind === 'value' ? '1' : `toFloat64(${measure.denominator})`;
}
