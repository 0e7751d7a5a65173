import { aggregationDefinition } from '../../../catalog/aggregations.ts';
import { namedTuple, offsetSeconds, utcOffset } from '../../../catalog/result.ts';
import { coverageColumn, type coverageNumbers } from '../../../catalog/statistics.ts';
import { testTable } from '../../../catalog/test-tables.ts';
import { param, sql } from '../../../shared/sql/expression.ts';
import { as, step, type Step } from '../../../shared/sql/select.ts';
import type { AggregateMetricQuery } from '../../request/metric-query.ts';
import type { TimeRange } from '../../request/selection.ts';
import { clockMs } from '../../request/parse-clock.ts';
import type { Coverage } from '../../request/fields/coverage.ts';
import { boundText, filterCondition, utcRange } from '../conditions.ts';
import { metadataAttributes } from '../field-value.ts';
import { numberColumns } from '../number-columns.ts';
import { splitColumn, splitForm } from '../split-column.ts';
import {
  flagsOf,
  type LeftOut,
  leftOutBy,
  type Plan,
  type Stage,
  type StageUse,
} from '../stage.ts';
import { windowCondition } from './selection.ts';

/** Each point with the agents and results that were expected, and those that were received. */
export const coverage: Stage = {
  name: 'coverage',
  of({ report, floor }, before) {
    const asked = report?.coverage;
    if (asked === undefined) return undefined;
    const columns = coverageSql(asked, floor === undefined ? [] : reasonsOf(before));
    return {
      dependsOn: ['the clock'],
      steps: (plan, from) => coverageSteps(plan, asked, from),
      points: {
        numbers: (lists) =>
          numberColumns(
            'coverage',
            Object.entries(columns).map(([key, sql]) => ({
              key,
              column: coverageColumn(key),
              sql,
            })),
            lists,
          ),
        // `received` is hidden in `coverageSql`; the others say nothing about the results of a household.
        aboveFloor: () => ({}),
      },
    };
  },
};

/** SQL over the columns of `covered`. All have the same type, because they become a map. */
function coverageSql(
  { resultsPerHour }: Coverage,
  hidden: readonly LeftOut[],
): Readonly<Record<keyof typeof coverageNumbers, string>> {
  const received = 'toFloat64(received_results)';
  // The received results less those of the point would be the results of a few agents.
  const isHidden = hidden.map(({ column }) => `isNull(${column})`).join(' OR ');
  return {
    expected: `expected_seconds / 3600 * ${resultsPerHour}`,
    received: isHidden === '' ? received : `if(${isHidden}, NULL, ${received})`,
    agents: 'toFloat64(expected_agents)',
    reporting: 'toFloat64(reporting_agents)',
    share: 'if(expected_agents = 0, NULL, reporting_agents / expected_agents)',
  };
}

/** Why results are left out. Households without a value have no results that could be received. */
function reasonsOf(uses: readonly StageUse[]): readonly LeftOut[] {
  return leftOutBy(uses).filter(({ column }) => column !== 'households_without_value');
}

/**
 * The hours of the requested range are computed once for each time zone, then for each different start and end of a
 * period, and only then for each agent: most agents share both.
 */
function coverageSteps(plan: Plan, { untilUtc }: Coverage, from: string): readonly Step[] {
  const ranges = coverageRanges(plan.query.times, untilUtc);
  return [
    agentPeriods(plan.query, ranges),
    ...calendar(plan, ranges),
    ...expected(plan),
    ...covered(plan, from),
  ];
}

/** Seconds since 1970, ends exclusive. A local clock is read as UTC. */
interface CoverageRange {
  /** The start of the first slot that can be in the range, in any time zone. */
  readonly firstSlot: number;
  readonly from: number;
  readonly end: number;
  readonly localFrom: number;
  readonly localEnd: number;
}

/**
 * Local times are the same to the second in a slot, up to a constant: UTC offsets are multiples of 15 minutes, and so
 * are the times at which they change, with few exceptions: St. John's changed its clocks at 00:01 until 2011. In such
 * a slot the offset at its start counts.
 */
const slotSeconds = 900;

/** The ranges of a request up to a moment, each second of local time once. */
function coverageRanges(times: readonly TimeRange[], untilUtc: string): readonly CoverageRange[] {
  return withoutOverlaps(times).map((time) => {
    const { fromUtc, endUtc } = utcRange(time);
    const from = seconds(fromUtc);
    return {
      firstSlot: from - (from % slotSeconds),
      from,
      end: Math.max(from, Math.min(seconds(endUtc), seconds(untilUtc))),
      localFrom: time.from.kind === 'local' ? seconds(time.from.clock) : unbounded.from,
      // A range includes its last second.
      localEnd: time.to.kind === 'local' ? seconds(time.to.clock) + 1 : unbounded.end,
    };
  });
}

/** Before and after all times that can be stored. */
const unbounded = { from: -86_400, end: 2 ** 33 };

// Only local times can be compared with each other. Several ranges have no others: parsing refuses them.
function withoutOverlaps(times: readonly TimeRange[]): readonly TimeRange[] {
  if (times.length === 1) return times;
  const sorted = times.toSorted((a, b) => boundText(a.from).localeCompare(boundText(b.from)));
  return sorted.reduce<readonly TimeRange[]>((merged, time) => {
    const last = merged.at(-1);
    if (last === undefined || boundText(time.from) > boundText(last.to)) return [...merged, time];
    const to = boundText(time.to) > boundText(last.to) ? time.to : last.to;
    return [...merged.slice(0, -1), { from: last.from, to }];
  }, []);
}

function seconds(clock: string): number {
  return clockMs(clock) / 1000;
}

/**
 * The periods of agents that run the test, with the metadata of the splits, within the range. They are read from the
 * published rows, which have the values: the dictionaries may not have loaded them yet.
 */
function agentPeriods(query: AggregateMetricQuery, ranges: readonly CoverageRange[]): Step {
  const { filters, metric } = query;
  const fields = filters.map(({ field }) => field);
  // Two at least: one value in parentheses is not a tuple.
  const form = { ...splitForm(query), metadata: 'values' } as const;
  const usesIds =
    form.customAs === 'id' && query.splits.some(({ source }) => source.kind === 'custom');
  const names = [
    ...new Set([
      'timezone',
      'country',
      ...metadataAttributes(query.splits, fields, 'values'),
      ...(usesIds ? ['custom_ids'] : []),
    ]),
  ];
  const from = param('hours_from', 'Int64', Math.min(...ranges.map((range) => range.from)));
  const end = param('hours_end', 'Int64', Math.max(...ranges.map((range) => range.end)));
  const why = 'The periods of agents that run the test, with the metadata of splits and filters.';
  return step('agent_periods', why, {
    define: [as(namedTuple(names, names.map(attributeValue)), 'metadata')],
    columns: [
      'agent_key',
      ...query.splits.map((field, i) => splitColumn(field, i, form).definition),
      as("ifNull(timezone, 'UTC')", 'zone'),
      as(sql`greatest(toInt64(toUnixTimestamp(valid_from)), ${from})`, 'period_from'),
      as(sql`least(toInt64(toUnixTimestamp(valid_to)) + 1, ${end})`, 'period_end'),
    ],
    from: usesIds ? 'agent_metadata_ids' : 'agent_metadata_current',
    where: [
      sql`organisation_id = ${param('organisation', 'UInt32', query.organisationId)}`,
      testTable(metric.test).agents === 'mobile'
        ? "kind = 'Mobile'"
        : "kind NOT IN ('Mobile', 'Cell')",
      // Between and around the periods of an agent there are rows without metadata.
      '(isNotNull(isp) OR isNotNull(timezone) OR notEmpty(custom))',
      'period_from < period_end',
      ...filters.map((filter) => filterCondition(filter, query.organisationId, 'values')),
    ],
  });
}

function attributeValue(attribute: string): string {
  return attribute === 'custom_json' ? 'toJSONString(custom)' : attribute;
}

/**
 * Steps to `segments`: for each time zone the uninterrupted parts of the range that belong to one bucket. The
 * difference of a slot and its number is the same for all slots of such a part. A part ends where the clock changes: a
 * range that ends in the repeated hour leaves out the rest of the hour before it is repeated.
 */
function calendar({ query, bucketKey }: Plan, ranges: readonly CoverageRange[]): readonly Step[] {
  const { bucket } = aggregationDefinition(query.aggregation);
  const numbers = (name: string, of: (range: CoverageRange) => number) =>
    param(name, 'Array(Int64)', ranges.map(of));
  const list = sql`arrayZip(
    ${numbers('first_slots', (range) => range.firstSlot)},
    ${numbers('starts', (range) => range.from)},
    ${numbers('ends', (range) => range.end)},
    ${numbers('local_starts', (range) => range.localFrom)},
    ${numbers('local_ends', (range) => range.localEnd)})`;
  const sameSegment = ['zone', 'time_range', 'utc_offset', ...bucketKey];
  const place = `row_number() OVER (
        PARTITION BY ${sameSegment.join(', ')} ORDER BY slot)`;
  return [
    step('zone_ranges', 'The requested range, for each time zone of these agents.', {
      columns: ['zone', 'time_range'],
      join: sql`ARRAY JOIN ${list} AS time_range`,
      groupBy: ['zone', 'time_range'],
    }),
    step('slots', 'Quarters of an hour of the range.', {
      columns: [
        'zone',
        'time_range',
        as(`arrayJoin(range(time_range.1, time_range.3, ${slotSeconds}))`, 'slot'),
      ],
    }),
    step(
      'local_slots',
      'The bucket of each quarter in local time, and the part of it in the range and the window.',
      {
        define: [
          as("toDateTime(slot, 'UTC')", 'slot_time'),
          as(utcOffset('cityHash64(zone)', { at: 'slot_time' }), 'clock'),
          as(offsetSeconds('slot_time', 'clock'), 'utc_offset'),
          as('addSeconds(slot_time, utc_offset)', 'local_time'),
        ],
        columns: [
          'zone',
          'time_range',
          'slot',
          'utc_offset',
          ...(bucket === undefined ? [] : [as(bucket, 'bucket')]),
          as('greatest(slot, time_range.2, time_range.4 - utc_offset)', 'slot_from'),
          as(`least(slot + ${slotSeconds}, time_range.3, time_range.5 - utc_offset)`, 'slot_end'),
        ],
        where: [
          'slot_from < slot_end',
          ...(query.window === undefined ? [] : [windowCondition(query.window)]),
        ],
      },
    ),
    step('numbered_slots', 'Quarters that follow each other in one bucket have the same segment.', {
      columns: ['*', as(`slot - ${slotSeconds} * toInt64(${place})`, 'segment')],
    }),
    step('segments', 'The uninterrupted parts of the range in each bucket.', {
      columns: [
        'zone',
        ...bucketKey,
        as('min(slot_from)', 'segment_from'),
        as('max(slot_end)', 'segment_end'),
      ],
      groupBy: [...sameSegment, 'segment'],
    }),
  ];
}

/** Steps to `expected`: agents, and the seconds of their periods, for each point. */
function expected(plan: Plan): readonly Step[] {
  const { bucketKey } = plan;
  const period = ['zone', 'period_from', 'period_end'];
  const overlap = 'least(period_end, segment_end) - greatest(period_from, segment_from)';
  return [
    step('periods', 'The different periods: most agents share theirs.', {
      columns: period,
      from: 'agent_periods',
      groupBy: period,
    }),
    step('period_seconds', 'The seconds of each period in each bucket.', {
      columns: [...period, ...bucketKey, as(`sum(\n        ${overlap})`, 'seconds')],
      join: 'INNER JOIN segments USING (zone)',
      where: ['period_from < segment_end', 'segment_from < period_end'],
      groupBy: [...period, ...bucketKey],
    }),
    step('expected', 'The agents and seconds that each point should have.', {
      columns: [
        as(pointKey(keysOfExpected(plan)), 'expected_point'),
        as('uniqExact(agent_key)', 'expected_agents'),
        as('sum(seconds)', 'expected_seconds'),
      ],
      from: 'agent_periods',
      join: `INNER JOIN period_seconds USING (${period.join(', ')})`,
      groupBy: ['expected_point'],
    }),
  ];
}

/** Without results that are left out, the statistics have the numbers of those that were received. */
function covered(plan: Plan, points: string): readonly Step[] {
  const { keys, uses } = plan;
  const point = pointKey(keys);
  const join = `LEFT JOIN expected ON ${pointKey(keysOfExpected(plan))} = expected_point`;
  const why = 'Each point with what was expected and received.';
  if (reasonsOf(uses).length === 0) {
    const received = [as('samples', 'received_results'), as('agents', 'reporting_agents')];
    return [step('covered', why, { columns: ['*', ...received], from: points, join })];
  }
  return [
    step('received', 'The results of each point before any is left out.', {
      columns: [
        as(point, 'received_point'),
        as('count()', 'received_results'),
        as('uniqExact(agent_key)', 'reporting_agents'),
      ],
      from: 'results',
      where: flagsOf(uses),
      groupBy: ['received_point'],
    }),
    step('covered', why, {
      columns: ['*'],
      from: points,
      join: `${join}\nLEFT JOIN received ON ${point} = received_point`,
    }),
  ];
}

/** What is expected does not depend on the values behind masks. */
function keysOfExpected({ keys, assumedKey }: Plan): readonly string[] {
  return keys.filter((key) => !assumedKey.includes(key));
}

/** As a text, because a join does not find NULL, which is a value of a split. */
function pointKey(keys: readonly string[]): string {
  return keys.length === 0 ? "''" : `toString(tuple(${keys.join(', ')}))`;
}
