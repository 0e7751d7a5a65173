import { aggregates } from '../../catalog/statistics.ts';
import { as, type Step } from '../../shared/sql/select.ts';
import type { AggregateMetricQuery } from '../request/metric-query.ts';

/**
 * Statistics of weighted results: of ratio metrics, and normalised ones. A group becomes an array of
 * values in ascending order and an array of weights. The last step divides by the total weight.
 */
export function weightedSteps(
  query: AggregateMetricQuery,
  keys: readonly string[],
): readonly Step[] {
  const counts = ['samples', 'agents', 'units'];
  return [
    ...(query.normalised ? normalisedWeights(query, keys) : []),
    query.normalised
      ? collected(keys, 'weighted', 'weight')
      : collected(keys, 'results', 'own_weight'),
    {
      name: 'midpoints',
      select: {
        columns: [
          ...keys,
          ...counts,
          as('points.1', 'xs'),
          as(weightsOfTiesAscending, 'ws'),
          // The position of a value on the scale of cumulative weights: the middle of its own weight.
          as('arrayMap((reached, w) -> reached - w / 2, arrayCumSum(ws), ws)', 'midpoints'),
          as('midpoints[1]', 'first_midpoint'),
          as('midpoints[-1] - first_midpoint', 'span'),
        ],
        from: 'points',
      },
    },
    {
      name: 'positioned',
      select: {
        columns: [
          ...keys,
          ...counts,
          'xs',
          'ws',
          as('arraySum(ws)', 'total_weight'),
          as('arraySum((x, w) -> x * w, xs, ws) / total_weight', 'mean'),
          // Positions scaled to 0 for the first value and 1 for the last; 0 for a single value.
          as(
            'if(length(xs) = 1, [0.], arrayMap(midpoint -> (midpoint - first_midpoint) / span, midpoints))',
            'positions',
          ),
          as('arrayZip(xs, positions)', 'positioned_values'),
        ],
        from: 'midpoints',
      },
    },
    {
      name: 'statistics',
      select: {
        columns: [
          ...keys,
          ...counts,
          ...aggregates.map(({ name, weighted }) => as(weighted, name)),
        ],
        from: 'positioned',
      },
    },
  ];
}

/** By docs/statistics.md, the weights of equal values are in ascending order. */
const weightsOfTiesAscending = `arrayFlatten(arrayMap(run -> arraySort(run),
    arraySplit((w, step) -> step != 0, points.2, arrayDifference(xs))))`;

// The shares of an agent's results in a block add up to 1, so the shares of a block add up to its
// number of agents, and the weights of a block to 1.
function normalisedWeights(
  { metric }: AggregateMetricQuery,
  keys: readonly string[],
): readonly Step[] {
  const ofAgent = `OVER (PARTITION BY ${[...keys, 'block', 'agent_key'].join(', ')})`;
  const ofBlock = `OVER (PARTITION BY ${[...keys, 'block'].join(', ')})`;
  const share =
    metric.measure.kind === 'value'
      ? `1 / count() ${ofAgent}`
      : `own_weight / sum(own_weight) ${ofAgent}`;
  const carried = [...keys, 'agent_key', 'unit_id', 'value'];
  return [
    {
      name: 'shares',
      select: { columns: [...new Set([...carried, 'block']), as(share, 'share')], from: 'results' },
    },
    {
      name: 'weighted',
      select: {
        columns: [...new Set(carried), as(`share / sum(share) ${ofBlock}`, 'weight')],
        from: 'shares',
      },
    },
  ];
}

function collected(keys: readonly string[], from: string, weight: string): Step {
  return {
    name: 'points',
    select: {
      columns: [
        ...keys,
        // Sorted by value only: comparing pairs takes four times as long, and ties are few.
        as(`arraySort(point -> point.1, groupArray((value, ${weight})))`, 'points'),
        as('count()', 'samples'),
        as('uniqExact(agent_key)', 'agents'),
        as('uniqExact(unit_id)', 'units'),
      ],
      from,
      groupBy: keys,
      having: 'samples > 0',
    },
  };
}
