import { isMasked } from './masked.ts';
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

/** The view of these results, with the household's metadata and local time when the test ran. */
export function resultsView(test: TestKey): string {
  return `results_${test}`;
}

/** When the test ended, to the second: the key for lookups of metadata and UTC offsets. */
export const endedAt = 'toDateTime(dtime)';

/** A span of `timezone_span` has 2^22 seconds, 48.5 days. */
const spanBits = 22;

interface ClockOptions {
  /** The instant, a DateTime. */
  readonly at?: string;
  readonly dictionary?: string;
}

/** A `clock`: the UTC offset at the start of the span of an instant, with its changes, by the hash of the time zone. */
export function utcOffset(
  timezoneHash: string,
  { at = 'ended_at', dictionary = 'timezone_span' }: ClockOptions = {},
): string {
  return `dictGet('${dictionary}',
    ('utc_offset_s', 'first_change_at', 'first_change_s', 'second_change_at', 'second_change_s'),
    ${timezoneHash} + bitShiftRight(toUnixTimestamp(${at}), ${spanBits}))`;
}

/** The UTC offset in seconds at an instant. `clock` is the name of its `utcOffset`. */
export function offsetSeconds(at: string, clock: string): string {
  return `${clock}.utc_offset_s
    + (${at} >= ${clock}.first_change_at) * ${clock}.first_change_s
    + (${at} >= ${clock}.second_change_at) * ${clock}.second_change_s`;
}

/**
 * The household's local time at `ended_at`, as a wall-clock time in a UTC-typed value; UTC without a time zone. Needs
 * `utcOffset` as `clock`.
 */
export const localTime = `addSeconds(ended_at, ${offsetSeconds('ended_at', 'clock')})`;

/**
 * The household's metadata when the test ended; NULL if unknown. A small separate dictionary has the agents that changed
 * since the last snapshot.
 */
export function metadataAsOfResult(attribute: string, dictionary: string): string {
  const changes = `${dictionary}_changes`;
  const lookUp = (name: string) => `dictGet('${name}', '${attribute}', agent_key, ended_at)`;
  return `if(${isChanged(changes)},
    ${lookUp(changes)},
    ${lookUp(dictionary)})`;
}

/**
 * The first condition has only constants, so ClickHouse evaluates it before the query starts. Without changes, the `if` is
 * replaced by its last argument, and a row needs one lookup.
 */
function isChanged(changes: string): string {
  return `dictHas('${changes}', toUInt64(0), toDateTime(0))
        AND dictHas('${changes}', agent_key, ended_at)`;
}

/** Values as `metadata`, with the attributes as names. */
export function namedTuple(attributes: readonly string[], values: readonly string[]): string {
  const types = attributes.map((attribute) => `${attribute} ${attributeType(attribute)}`);
  return `CAST((
    ${values.join(',\n    ')}),
    'Tuple(
        ${types.join(',\n        ')})')`;
}

function attributeType(attribute: string): string {
  if (attribute === 'custom_json') return 'String';
  if (attribute === 'custom_ids') return 'Map(String, UInt64)';
  return attribute === 'custom_number_keys' ? 'Array(String)' : 'Nullable(String)';
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

/**
 * The same of a masked result, at its lowest and at its highest: `assumed` is 1 or 2. A value without a bound is beyond
 * all others, and not the same at both. No published value is near a million; with a larger number, interpolated
 * percentiles next to it would lose digits.
 */
export function assumedValue(metric: Metric): string {
  const { masked } = metric;
  const value = metricValue(metric);
  if (masked === undefined) return value;
  const bound = (beyond: string) => `if(isNull(${masked}), ${beyond}, ${value})`;
  return `multiIf(
    ${isMasked(masked, 'above')}, if(assumed = 1, ${bound('1e6')}, 2e6),
    ${isMasked(masked, 'below')}, if(assumed = 1, -2e6, ${bound('-1e6')}),
    ${value})`;
}

/** The weight of a result: the denominator for a ratio metric, otherwise 1. */
export function ownWeight({ measure }: Metric): string {
  return measure.kind === 'value' ? '1' : `toFloat64(${measure.denominator})`;
}
