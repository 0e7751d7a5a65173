import { param, sql, type Expression } from '../../shared/sql/expression.ts';
import type { MetricQuery, TimeBound, TimeRange } from '../request/metric-query.ts';
import { allOf, anyOf } from './any-of.ts';
import { utcRange } from './utc-range.ts';

/** The results of an organisation in a range, or in several. Needs `local_time` of `metadataColumns`. */
export function timeConditions(
  query: Pick<MetricQuery, 'organisationId' | 'times'>,
): readonly Expression[] {
  const organisation = sql`organisation_id = ${param('organisation', 'UInt32', query.organisationId)}`;
  const ranges = query.times.map((time) => [...keyRange(time), ...localRange(time)]);
  const [only = []] = ranges;
  return [organisation, ...(ranges.length === 1 ? only : [anyOf(ranges.map(allOf))])];
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
  return [
    ...(from.kind === 'local' ? [sql`local_time >= ${clockParam('from', from)}`] : []),
    ...(to.kind === 'local' ? [sql`local_time <= ${clockParam('to', to)}`] : []),
  ];
}

/** A bound of a range: a local time, or an instant in UTC. */
export function clockParam(name: string, bound: TimeBound): Expression {
  return param(name, "DateTime('UTC')", bound.kind === 'local' ? bound.clock : bound.utc);
}
