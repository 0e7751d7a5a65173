import { as, type Column } from '../../../shared/sql/select.ts';
import { aggregate } from '../aggregates.ts';
import { arrayOf, type StatisticsPart } from '../stage.ts';

/** A column of the results of a point without households, of which the last result of each agent counts. */
export function lastOfAgents(column: string): StatisticsPart {
  const list = `(agent_key, ended_at, ${column}), isNotNull(value)`;
  return {
    ofResult: () => [column, 'ended_at'],
    aggregates: [aggregate(listOf(column), 'groupArrayIf', list)],
  };
}

/** Its values as an array, in the order of the agents. */
export function lastOfAgentsColumns(column: string): readonly Column[] {
  const sorted = `sorted_${column}`;
  const ofAgents = `arraySplit((item, step) -> step != 0,
        ${sorted}.3, arrayDifference(${sorted}.1))`;
  return [
    as(`arraySort(${listOf(column)})`, sorted),
    as(`arrayMap(own -> own[-1], ${ofAgents})`, arrayOf(column)),
  ];
}

function listOf(column: string): string {
  return `${column}_of_results`;
}
