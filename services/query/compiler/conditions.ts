import type { Field } from '../../catalog/field.ts';
import { param, sql, type Expression, type Param } from '../../shared/sql/expression.ts';
import type { MetricFilter, TimeBound, TimeRange } from '../request/selection.ts';
import type { DayRange } from './compiled-query.ts';
import { clockMs, clockOf } from '../request/parse-clock.ts';
import { type MetadataForm, fieldValue } from './field-value.ts';

/** Conditions joined by OR. */
export function anyOf(conditions: readonly Expression[]): Expression {
  const [only] = conditions;
  return only !== undefined && conditions.length === 1
    ? only
    : ['(', ...joined(conditions, 'OR'), ')'];
}

/** Conditions joined by AND, without parentheses. */
export function allOf(conditions: readonly Expression[]): Expression {
  return joined(conditions, 'AND');
}

function joined(conditions: readonly Expression[], word: 'AND' | 'OR'): readonly Expression[] {
  return conditions.flatMap((one, i) => (i === 0 ? [one] : [`\n    ${word} `, one]));
}

/** Flags and comparisons joined by AND on one line; 1 without any. */
export function all(...conditions: readonly string[]): string {
  return conditions.filter((condition) => condition !== '1').join(' AND ') || '1';
}

/**
 * SQL of whether all flags of a point are 1. In its many steps AND takes ClickHouse long to plan: docs/decisions/query-cost.md.
 */
export function allFlags(...flags: readonly string[]): string {
  return flagOf(
    'least',
    flags.filter((flag) => flag !== '1'),
  );
}

/** SQL of whether one of the flags of a point is 1, for the same reason without OR. */
export function anyFlag(...flags: readonly string[]): string {
  return flagOf('greatest', flags);
}

function flagOf(call: 'least' | 'greatest', flags: readonly string[]): string {
  const [first = '1', ...others] = flags;
  return others.length === 0 ? first : `${call}(${flags.join(', ')})`;
}

/** Nine decimals: 70.101 as a mean of results may differ from 70.101 in a request in the last digit. */
export function reaches(value: string, threshold: number): string {
  return `round(${value}, 9) >= round(${threshold}, 9)`;
}

/** The results in a range, or in several. Needs `local_time` of `metadataColumns`. */
export function timeConditions(times: readonly TimeRange[]): readonly Expression[] {
  const ranges = times.map((time) => [...keyRange(time), ...localRange(time)]);
  const [only = []] = ranges;
  return ranges.length === 1 ? only : [anyOf(ranges.map(allOf))];
}

// Day and time: the sorting key starts with toDate(dtime) and has dtime after agent_key, and
// ClickHouse does not derive one condition from the other.
function keyRange(time: TimeRange): readonly Expression[] {
  const { fromUtc, endUtc } = utcRange(time);
  const from = param('from_utc', "DateTime64(3, 'UTC')", fromUtc);
  const end = param('end_utc', "DateTime64(3, 'UTC')", endUtc);
  return [
    sql`toDate(dtime) >= toDate(${from})`,
    sql`toDate(dtime) <= toDate(${end})`,
    sql`dtime >= ${from}`,
    sql`dtime < ${end}`,
  ];
}

// keyRange is exact for an instant. A local time is a different instant in each time zone.
function localRange({ from, to }: TimeRange): readonly Expression[] {
  if (from.kind === 'local' && to.kind === 'local') {
    return [sql`local_time BETWEEN ${clockParam('from', from)} AND ${clockParam('to', to)}`];
  }
  return [
    ...(from.kind === 'local' ? [sql`local_time >= ${clockParam('from', from)}`] : []),
    ...(to.kind === 'local' ? [sql`local_time <= ${clockParam('to', to)}`] : []),
  ];
}

/** A bound of a range: a local time, or an instant in UTC. */
export function clockParam(name: string, bound: TimeBound): Expression {
  return param(name, "DateTime('UTC')", bound.kind === 'local' ? bound.clock : bound.utc);
}

/** The extreme UTC offsets: Baker Island is -12:00, Kiritimati is +14:00. */
const maxHoursBehind = 12;
const maxHoursAhead = 14;

/**
 * The UTC range that contains the requested range in every time zone, for the primary key. At +14:00,
 * midnight of 31 January is 14 hours earlier than in UTC.
 */
export function utcRange(time: TimeRange): {
  readonly fromUtc: string;
  /** Exclusive: the second after the last. */
  readonly endUtc: string;
} {
  return {
    fromUtc: shifted(boundText(time.from), time.from.kind === 'local' ? -maxHoursAhead * 3600 : 0),
    endUtc: shifted(boundText(time.to), time.to.kind === 'local' ? maxHoursBehind * 3600 + 1 : 1),
  };
}

/** The first and the last UTC day that have results of the ranges. */
export function utcDays(times: readonly TimeRange[]): DayRange {
  const ranges = times.map(utcRange);
  const days = (texts: readonly string[]) => texts.map((text) => text.slice(0, 10)).sort();
  return {
    fromDay: days(ranges.map(({ fromUtc }) => fromUtc))[0] ?? '',
    toDay: days(ranges.map(({ endUtc }) => endUtc)).at(-1) ?? '',
  };
}

export function boundText(bound: TimeBound): string {
  return bound.kind === 'local' ? bound.clock : bound.utc;
}

/** `2026-01-31 13:00:00`, some seconds later. */
export function shifted(clock: string, seconds: number): string {
  return clockOf(clockMs(clock) + seconds * 1000);
}

/** A result without a value never matches an `include` filter and always matches an `exclude` filter. */
export function filterCondition(
  { field, values, mode }: MetricFilter,
  organisationId: number,
  form: MetadataForm,
): Expression {
  if (field.source.kind === 'set') {
    const isMember = sql`agent_key IN (
    SELECT agent_key FROM agent_set_agents
    WHERE organisation_id = ${param('organisation', 'UInt32', organisationId)}
        AND name IN ${param('set', 'Array(String)', values)})`;
    return mode === 'include' ? isMember : sql`NOT ${isMember}`;
  }
  const lineBreak = field.source.kind === 'custom' ? '\n    ' : ' ';
  const isListed = anyOf(
    valueParams(field, values).map(
      (listed) => sql`${fieldValue(field, form)}${lineBreak}IN ${listed}`,
    ),
  );
  return mode === 'include'
    ? isListed
    : sql`NOT ifNull(
    ${isListed}, 0)`;
}

function valueParams({ source, name }: Field, values: readonly string[]): readonly Param[] {
  const isText = source.kind !== 'column' || source.type === 'text';
  if (!isText) return [param(name, 'Array(UInt64)', values.map(Number))];
  const paramName = source.kind === 'custom' ? 'custom_value' : name;
  return valueLists(values).map((list) => param(paramName, 'Array(String)', list));
}

/**
 * Splits a list of values so that each part fits into one parameter. ClickHouse's HTTP interface accepts
 * at most 128 KiB per parameter (http_max_field_value_size), in which a character may be escaped.
 */
export function valueLists(values: readonly string[]): readonly (readonly string[])[] {
  const lists: string[][] = [[]];
  let bytes = 0;
  for (const value of values) {
    const size = Buffer.byteLength(value) + quotesAndComma;
    if (bytes + size > maxListBytes && bytes > 0) {
      lists.push([]);
      bytes = 0;
    }
    bytes += size;
    lists.at(-1)?.push(value);
  }
  return lists;
}

const maxListBytes = 60_000;
const quotesAndComma = 3;
