import { isMaskedValue } from '../../../catalog/metric.ts';
import { as } from '../../../shared/sql/select.ts';
import { aggregate, aggregateIf } from '../aggregates.ts';
import { all } from '../conditions.ts';
import { numberColumn } from '../number-columns.ts';
import type { Stage } from '../stage.ts';

/** Published values that are only bounds: each result counts with the lowest and with the highest value behind its mask. */
export const masked: Stage = {
  name: 'masked values',
  of({ query, report, household, floor }) {
    const { masked: column } = query.metric;
    if (column === undefined || query.chartType === 'raw') return undefined;
    const isCounted = report === undefined ? '1' : household ? 'is_counted' : 'isNotNull(value)';
    const counted = all('is_masked', isCounted);
    const agents = household
      ? aggregate('masked_agents', 'countIf', counted)
      : aggregate('masked_agents', 'uniqExactIf', `agent_key, ${counted}`);
    return {
      results: {
        why: 'Each result twice, for masked values: with the lowest and with the highest that is possible.',
        columns: [as('arrayJoin([1, 2])', 'assumed'), as(isMaskedValue(column), 'is_masked')],
      },
      household: {
        aggregates: (_, kept) => [
          as(aggregateIf('count', '', all(kept, 'is_masked')), 'masked_results'),
        ],
        columns: () => [as('masked_results > 0', 'is_masked')],
      },
      statistics: {
        ofResult: () => ['is_masked'],
        aggregates: [
          aggregate('masked_count', 'countIf', counted),
          ...(floor === undefined ? [] : [agents]),
        ],
      },
      points: {
        numbers: () => [numberColumn('maskedCount', maskedCount(floor))],
        // Whether a point has masked values decides which other numbers it has.
        aboveFloor: () => ({}),
      },
    };
  },
};

/** With a floor, NULL if a few agents have a masked value, or a few have none. */
function maskedCount(floor?: number): string {
  if (floor === undefined) return 'masked_count';
  const isFew = (agents: string) => `${agents} BETWEEN 1 AND ${floor - 1}`;
  return `if(${isFew('masked_agents')} OR ${isFew('agents - masked_agents')}, NULL, masked_count)`;
}
