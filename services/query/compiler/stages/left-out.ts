import { as, type Column } from '../../../shared/sql/select.ts';
import { aggregate, type PointAggregate } from '../aggregates.ts';
import { all } from '../conditions.ts';
import { numberColumns } from '../number-columns.ts';
import {
  flagsOf,
  type LeftOut,
  leftOutBy,
  type Plan,
  type ReasonOfResult,
  reasonsOfResults,
  type Stage,
} from '../stage.ts';
import { hasValue } from './selection.ts';

const withoutValue: LeftOut = {
  column: 'households_without_value',
  name: 'householdsWithoutValue',
  counts: 'households',
};

/** Counts what the stages before it leave out, and households that have only rows without a value. */
export const leftOut: Stage = {
  name: 'leftOut',
  of({ report, household, floor: asked }, before) {
    if (report === undefined) return undefined;
    const counted = [...leftOutBy(before), withoutValue];
    const isOfHouseholds = household !== undefined;
    const aggregates = isOfHouseholds
      ? counted.map(({ column }) => aggregate(column, 'sum', column))
      : countsOfResults(reasonsOfResults(before));
    const withAgents = counted.filter(({ counts }) => asked !== undefined && counts === 'results');
    return {
      leavesOut: [withoutValue],
      household: { aggregates: countsOfHousehold, columns: columnsOfHouseholds },
      statistics: {
        ofResult: () => [
          hasValue,
          ...reasonsOfResults(before).map((reason, i, reasons) =>
            as(all(hasValue, isFirst(reasons, i)), isReason(reason)),
          ),
        ],
        aggregates: [
          ...aggregates,
          ...withAgents.map((reason) => agentsBehind(reason, isOfHouseholds)),
        ],
      },
      points: {
        numbers: (lists) =>
          numberColumns(
            'leftOut',
            counted.map(({ name, column }) => ({ key: name, column: name, sql: column })),
            lists,
          ),
        aboveFloor: (floor) =>
          Object.fromEntries(
            counted.map((reason) => [
              reason.column,
              `if(${agentsOf(reason)} BETWEEN 1 AND ${floor - 1},\n        NULL, ${reason.column})`,
            ]),
          ),
      },
    };
  },
};

/** SQL of whether a result is left out for this reason, and for none before it. */
function isFirst(reasons: readonly ReasonOfResult[], at: number): string {
  const before = reasons.slice(0, at).map(({ when }) => when.kept);
  return [...before, reasons[at]?.when.leftOut ?? '0'].join(' AND ');
}

function isReason({ column }: LeftOut): string {
  return `is_${column}`;
}

/** Agents with rows, less those with a value. */
function countsOfResults(reasons: readonly ReasonOfResult[]): readonly PointAggregate[] {
  return [
    ...reasons.map((reason) => aggregate(reason.column, 'sum', isReason(reason))),
    {
      name: withoutValue.column,
      calls: [
        ['uniqExact', 'agent_key'],
        ['uniqExactIf', `agent_key, ${hasValue}`],
      ],
      sql: (withRows, withValue) => `toUInt64(${withRows}
    - ${withValue})`,
    },
  ];
}

/** The number of agents behind a count of results, for a privacy floor. */
function agentsBehind(reason: LeftOut, isOfHouseholds: boolean): PointAggregate {
  return isOfHouseholds
    ? aggregate(agentsOf(reason), 'countIf', `${reason.column} > 0`)
    : aggregate(agentsOf(reason), 'uniqExactIf', `agent_key, ${isReason(reason)}`);
}

function agentsOf({ column, counts }: LeftOut): string {
  return counts === 'households' ? column : `${column}_agents`;
}

function countsOfHousehold({ uses }: Plan): readonly Column[] {
  const flags = flagsOf(uses);
  const reasons = reasonsOfResults(uses);
  const rowFlags = flags.filter((flag) => flag !== hasValue);
  return [
    as(`countIf(${all(...flags)})`, 'seen'),
    as(`countIf(${all(`NOT ${hasValue}`, ...rowFlags)})`, 'without_value'),
    ...reasons.map(({ column }, i) => as(`countIf(${all(...flags, isFirst(reasons, i))})`, column)),
  ];
}

function columnsOfHouseholds({ uses }: Plan): readonly Column[] {
  return [
    as('seen + without_value', 'row_count'),
    as('seen = 0 AND without_value > 0', withoutValue.column),
    ...reasonsOfResults(uses).map(({ column }) => column),
  ];
}
