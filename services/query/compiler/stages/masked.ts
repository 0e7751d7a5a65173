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
    const isFew = floor === undefined ? '0' : `masked_count BETWEEN 1 AND ${floor - 1}`;
    return {
      results: {
        why: 'Each result twice, for masked values: with the lowest and with the highest that is possible.',
        columns: [as('arrayJoin([1, 2])', 'assumed'), as(isMaskedValue(column), 'is_masked')],
      },
      household: {
        aggregates: (_, counted) => [
          as(aggregateIf('count', '', all(counted, 'is_masked')), 'masked_results'),
        ],
        columns: () => [as('masked_results > 0', 'is_masked')],
      },
      statistics: {
        ofResult: () => ['is_masked'],
        aggregates: [aggregate('masked_count', 'countIf', all('is_masked', isCounted))],
      },
      points: {
        numbers: () => [numberColumn('maskedCount', `if(${isFew}, NULL, masked_count)`)],
        aboveFloor: () => ({}),
      },
    };
  },
};
