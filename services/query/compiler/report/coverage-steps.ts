import { aggregationDefinition } from '../../../catalog/aggregations.ts';
import { namedTuple, offsetSeconds, utcOffset } from '../../../catalog/result.ts';
import { testTable } from '../../../catalog/test-tables.ts';
import { type Expression, param, sql } from '../../../shared/sql/expression.ts';
import { as, nameOf, type Step } from '../../../shared/sql/select.ts';
import type { AggregateMetricQuery } from '../../request/metric-query.ts';
import { metadataAttributes } from '../field-value.ts';
import { filterCondition } from '../filter-condition.ts';
import { splitColumn, splitForm, type SplitColumn } from '../split-column.ts';
import { windowCondition } from '../window-condition.ts';
import { type CoverageRange, coverageRanges, slotSeconds } from './coverage-ranges.ts';
import { resultReasons } from './left-out.ts';
import { pointFlags } from './report-results.ts';

/**
 * Steps after the one that has the points, to `covered`: each point with the agents and results that were expected, and those
 * that were received. The hours of the requested range are computed once for each time zone, then for each
 * different start and end of a period, and only then for each agent: most agents share both.
 */
export function coverageSteps(
  query: AggregateMetricQuery,
  splits: readonly SplitColumn[],
  points: string,
): readonly Step[] {
  const coverage = query.report?.coverage;
  if (coverage === undefined) return [];
  const ranges = coverageRanges(query.times, coverage.untilUtc);
  return [
    agentPeriods(query, ranges),
    ...calendar(query, ranges),
    ...expected(query, splits),
    ...received(query, splits),
    covered(query, splits, points),
  ];
}

/**
 * The periods of agents that run the test, with the metadata of the splits, within the range. They are read from the
 * published rows, which have the values: the dictionaries may not have loaded them yet.
 */
function agentPeriods(query: AggregateMetricQuery, ranges: readonly CoverageRange[]): Step {
  const { filters, metric } = query;
  const fields = filters.map(({ field }) => field);
  // Two at least: one value in parentheses is not a tuple.
  const names = [
    ...new Set(['timezone', 'country', ...metadataAttributes(query.splits, fields, 'values')]),
  ];
  const form = { ...splitForm(query), metadata: 'values' } as const;
  const from = param('hours_from', 'Int64', Math.min(...ranges.map((range) => range.from)));
  const end = param('hours_end', 'Int64', Math.max(...ranges.map((range) => range.end)));
  return {
    name: 'agent_periods',
    select: {
      define: [as(namedTuple(names, names.map(attributeValue)), 'metadata')],
      columns: [
        'agent_key',
        ...query.splits.map((field, i) => splitColumn(field, i, form).definition),
        as("ifNull(timezone, 'UTC')", 'zone'),
        as(sql`greatest(toInt64(toUnixTimestamp(valid_from)), ${from})`, 'period_from'),
        as(sql`least(toInt64(toUnixTimestamp(valid_to)) + 1, ${end})`, 'period_end'),
      ],
      from: 'agent_metadata_current',
      where: [
        sql`organisation_id = ${param('organisation', 'UInt32', query.organisationId)}`,
        testTable(metric.test).agents === 'mobile' ? "kind = 'Mobile'" : "kind != 'Mobile'",
        // Between and around the periods of an agent there are rows without metadata.
        '(isNotNull(isp) OR isNotNull(timezone) OR notEmpty(custom))',
        'period_from < period_end',
        ...filters.map((filter) => filterCondition(filter, query.organisationId, 'values')),
      ],
    },
  };
}

function attributeValue(attribute: string): string {
  return attribute === 'custom_json' ? 'toJSONString(custom)' : attribute;
}

/**
 * Steps to `segments`: for each time zone the uninterrupted parts of the range that belong to one bucket. The
 * difference of a slot and its number is the same for all slots of such a part. A part ends where the clock changes: a
 * range that ends in the repeated hour leaves out the rest of the hour before it is repeated.
 */
function calendar(query: AggregateMetricQuery, ranges: readonly CoverageRange[]): readonly Step[] {
  const { bucket } = aggregationDefinition(query.aggregation);
  const numbers = (name: string, of: (range: CoverageRange) => number) =>
    param(name, 'Array(Int64)', ranges.map(of));
  const list = sql`arrayZip(
    ${numbers('first_slots', (range) => range.firstSlot)},
    ${numbers('starts', (range) => range.from)},
    ${numbers('ends', (range) => range.end)},
    ${numbers('local_starts', (range) => range.localFrom)},
    ${numbers('local_ends', (range) => range.localEnd)})`;
  const sameSegment = ['zone', 'time_range', 'utc_offset', ...bucketKey(query)];
  return [
    {
      name: 'zone_ranges',
      select: {
        columns: ['zone', 'time_range'],
        from: 'agent_periods',
        join: sql`ARRAY JOIN ${list} AS time_range`,
        groupBy: ['zone', 'time_range'],
      },
    },
    {
      name: 'slots',
      select: {
        columns: [
          'zone',
          'time_range',
          as(`arrayJoin(range(time_range.1, time_range.3, ${slotSeconds}))`, 'slot'),
        ],
        from: 'zone_ranges',
      },
    },
    {
      name: 'local_slots',
      select: {
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
        from: 'slots',
        where: [
          'slot_from < slot_end',
          ...(query.window === undefined ? [] : [windowCondition(query.window)]),
        ],
      },
    },
    {
      name: 'numbered_slots',
      select: {
        columns: [
          '*',
          as(
            `slot - ${slotSeconds} * toInt64(row_number() OVER (
        PARTITION BY ${sameSegment.join(', ')} ORDER BY slot))`,
            'segment',
          ),
        ],
        from: 'local_slots',
      },
    },
    {
      name: 'segments',
      select: {
        columns: [
          'zone',
          ...bucketKey(query),
          as('min(slot_from)', 'segment_from'),
          as('max(slot_end)', 'segment_end'),
        ],
        from: 'numbered_slots',
        groupBy: [...sameSegment, 'segment'],
      },
    },
  ];
}

/** Steps to `expected`: agents, and the seconds of their periods, for each point. */
function expected(query: AggregateMetricQuery, splits: readonly SplitColumn[]): readonly Step[] {
  const period = ['zone', 'period_from', 'period_end'];
  const keys = pointKeys(query, splits);
  return [
    { name: 'periods', select: { columns: period, from: 'agent_periods', groupBy: period } },
    {
      name: 'period_seconds',
      select: {
        columns: [
          ...period,
          ...bucketKey(query),
          as(
            `sum(
        least(period_end, segment_end) - greatest(period_from, segment_from))`,
            'seconds',
          ),
        ],
        from: 'periods',
        join: 'INNER JOIN segments USING (zone)',
        where: ['period_from < segment_end', 'segment_from < period_end'],
        groupBy: [...period, ...bucketKey(query)],
      },
    },
    {
      name: 'expected',
      select: {
        columns: [
          as(pointKey(keys), 'expected_point'),
          as('uniqExact(agent_key)', 'expected_agents'),
          as('sum(seconds)', 'expected_seconds'),
        ],
        from: 'agent_periods',
        join: `INNER JOIN period_seconds USING (${period.join(', ')})`,
        groupBy: ['expected_point'],
      },
    },
  ];
}

/** The results of a point before any is left out. Without such results the statistics have the numbers. */
function received(query: AggregateMetricQuery, splits: readonly SplitColumn[]): readonly Step[] {
  if (!leavesOut(query)) return [];
  return [
    {
      name: 'received',
      select: {
        columns: [
          as(pointKey(pointKeys(query, splits)), 'received_point'),
          as('count()', 'received_results'),
          as('uniqExact(agent_key)', 'reporting_agents'),
        ],
        from: 'results',
        where: pointFlags(query).map(nameOf),
        groupBy: ['received_point'],
      },
    },
  ];
}

function leavesOut(query: AggregateMetricQuery): boolean {
  const { report } = query;
  if (report === undefined) return false;
  return report.household !== undefined || resultReasons(report).length > 0;
}

function covered(
  query: AggregateMetricQuery,
  splits: readonly SplitColumn[],
  points: string,
): Step {
  const point = pointKey(pointKeys(query, splits));
  return {
    name: 'covered',
    select: {
      columns: leavesOut(query)
        ? ['*']
        : ['*', as('samples', 'received_results'), as('agents', 'reporting_agents')],
      from: points,
      join: [
        `LEFT JOIN expected ON ${point} = expected_point`,
        ...(leavesOut(query) ? [`\nLEFT JOIN received ON ${point} = received_point`] : []),
      ] satisfies Expression,
    },
  };
}

function bucketKey({ aggregation }: AggregateMetricQuery): readonly string[] {
  return aggregationDefinition(aggregation).bucket === undefined ? [] : ['bucket'];
}

function pointKeys(query: AggregateMetricQuery, splits: readonly SplitColumn[]): readonly string[] {
  return [...splits.map(({ key }) => key), ...bucketKey(query)];
}

/** As a text, because a join does not find NULL, which is a value of a split. */
function pointKey(keys: readonly string[]): string {
  return keys.length === 0 ? "''" : `toString(tuple(${keys.join(', ')}))`;
}
