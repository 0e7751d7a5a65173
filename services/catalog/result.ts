import type { Metric } from './metric.ts';
import { testTable, type TestKey } from './test-tables.ts';

// What a result is, in SQL, for the compiler and for the views that analysts read.

/**
 * The table whose rows, read with FINAL, are the results of a test. Most tests have one row per result;
 * a download of several sequences and a route of several hops have more, and count by their last row.
 */
export function resultsTable(test: TestKey): string {
  return testTable(test).lastRowBy === undefined ? `test_${test}` : `last_rows_${test}`;
}

/** When the test ended, to the second; metadata and UTC offsets are looked up by it. */
export const endedAt = 'toDateTime(dtime)';

/** The household's own clock at `ended_at`: a wall-clock time in a UTC-typed value. Without a time zone, UTC. */
export function localTime(timezone: string, dictionary = 'timezone_offset'): string {
  return `addSeconds(ended_at, dictGetOrDefault('${dictionary}', 'utc_offset_s',
    ifNull(${timezone}, 'UTC'), ended_at, 0))`;
}

/**
 * The household's metadata when the test ended, by one lookup: a value for one attribute, a named tuple for
 * several. What is not known is NULL.
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

/** A result's value in the unit of the metric. */
export function metricValue({ measure }: Metric): string {
  return measure.kind === 'value'
    ? `toFloat64(${measure.value})`
    : `100 * ${measure.numerator} / ${measure.denominator}`;
}

/** What a result counts for in a rate: its denominator. 1 for a value. */
export function ownWeight({ measure }: Metric): string {
  return measure.kind === 'value' ? '1' : `toFloat64(${measure.denominator})`;
}
