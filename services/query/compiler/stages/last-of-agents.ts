import { as, type Column } from '../../../shared/sql/select.ts';
import { aggregate } from '../aggregates.ts';
import { arrayOf, type StatisticsPart } from '../stage.ts';

/** A UInt64 column of the results of a point without households, of which the last result of each agent counts. */
export function lastOfAgents(column: string): StatisticsPart {
  // The latest time decides: one number of both takes an eighth of the time of sorted tuples.
  const timed = `bitShiftLeft(toUInt128(toUnixTimestamp(ended_at)), 64) + ${column}`;
  return {
    ofResult: () => [column, 'ended_at'],
    aggregates: [
      aggregate(lastOf(column), 'maxMapIf', `map(agent_key, ${timed}), isNotNull(value)`),
    ],
  };
}

/** Its values as an array, in the order of the agents. */
export function lastOfAgentsColumns(column: string): readonly Column[] {
  const last = lastOf(column);
  const byAgent = `arraySort((timed, agent) -> agent, mapValues(${last}), mapKeys(${last}))`;
  return [as(`arrayMap(timed -> reinterpretAsUInt64(timed), ${byAgent})`, arrayOf(column))];
}

function lastOf(column: string): string {
  return `last_${column}`;
}
