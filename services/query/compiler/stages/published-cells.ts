import type { StoredStatistics } from '../../../catalog/metric.ts';
import { as, step, type Step } from '../../../shared/sql/select.ts';
import type { Plan, StageUse } from '../stage.ts';
import { noNumber } from './privacy-floor.ts';

/** The exception of a point with several cells, without a full stop, which ClickHouse removes. */
export const severalCells =
  'A point has several published cells, which cannot be combined without the results behind them';

/** The columns of a result that is a cell. */
export function cellResults({
  count,
  lowest,
  highest,
  percentiles,
}: StoredStatistics): NonNullable<StageUse['results']> {
  return {
    columns: [
      as(count, 'samples'),
      as(`toFloat64(${lowest})`, 'lowest'),
      as(`toFloat64(${highest})`, 'highest'),
      as(
        `[\n    ${percentiles.map((value) => `toFloat64(${value})`).join(',\n    ')}]`,
        'quantiles',
      ),
    ],
  };
}

/** Points of one cell each, with its numbers. */
export function cellSteps({ keys, query }: Plan): readonly Step[] {
  const own = ['samples', 'lowest', 'highest', 'quantiles'];
  return [
    step('statistics', 'One row per point: the numbers of its cell as they were published.', {
      columns: [
        ...keys,
        as('any(value)', 'mean'),
        ...own.map((name) => as(`any(${name})`, name)),
        // A privacy floor counts the results of a cell, because their households are unknown.
        as('any(samples)', 'agents'),
        as(noNumber, 'deviation'),
        as(noNumber, 'effective_count'),
        ...(query.report?.compare === undefined ? [] : withoutHouseholds),
      ],
      groupBy: keys,
      having: `count() > 0 AND throwIf(count() > 1,\n    '${severalCells}') = 0`,
    }),
  ];
}

/** What a comparison reads of the households of a side. */
const withoutHouseholds = [
  as(noNumber, 'household_error'),
  as(noNumber, 'median_density'),
  as("CAST([], 'Array(UInt64)')", 'own_agents'),
  as("CAST([], 'Array(UInt8)')", 'own_sides'),
  as("CAST([], 'Array(Float64)')", 'mean_parts'),
  as("CAST([], 'Array(Float64)')", 'median_parts'),
];
