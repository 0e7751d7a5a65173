import { type Expression, sql } from '../../shared/sql/expression.ts';
import { as, step, type Step } from '../../shared/sql/select.ts';
import type { PointColumn } from './compiled-query.ts';
import type { Plan } from './stage.ts';

interface KnownPoints {
  readonly steps: readonly Step[];
  readonly columns: readonly PointColumn[];
}

/**
 * Of a metric with masked values, each point was computed twice: with the lowest and with the highest values that may be
 * behind the masks. A number is known if it is the same in both.
 */
export function knownPoints(plan: Plan, columns: readonly PointColumn[]): KnownPoints {
  if (plan.assumedKey.length === 0) return { steps: [], columns };
  const keys = plan.keys.filter((key) => !plan.assumedKey.includes(key));
  const partition = keys.length === 0 ? '' : `PARTITION BY ${keys.join(', ')} `;
  const both = `(${partition}ORDER BY assumed ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)`;
  return {
    steps: [
      step('assumed_points', 'The numbers of the points, in the order of the answer.', {
        columns: ['*', as(tupleOf(columns), 'lowest_numbers')],
      }),
      step('both_assumptions', 'The numbers with the highest values behind the masks.', {
        columns: ['*', as(`last_value(lowest_numbers) OVER ${both}`, 'highest_numbers')],
      }),
      step('known_points', 'One row per point.', { columns: ['*'], where: ['assumed = 1'] }),
    ],
    columns: columns.map(knownColumn),
  };
}

/** One column instead of many, which would take ClickHouse long to plan in the steps after it. */
export function tupleOf(columns: readonly PointColumn[]): Expression {
  const items = columns.map(({ sql: item }, i) => sql`${i === 0 ? '' : ','}\n    ${item}`);
  return sql`tuple(${items})`;
}

function knownColumn(column: PointColumn, i: number): PointColumn {
  const [low, high] = [`lowest_numbers.${i + 1}`, `highest_numbers.${i + 1}`];
  return { ...column, sql: knownSql(column, low, high) };
}

function knownSql(column: PointColumn, low: string, high: string): string {
  switch (column.kind) {
    case 'number':
      return needsAllValues(column) ? `if(masked_count > 0, NULL, ${low})` : ifSame(low, high);
    case 'numbers':
      return `mapFromArrays(mapKeys(${low}), arrayMap((low, high) -> ${ifSame('low', 'high')},
        mapValues(${low}), mapValues(${high})))`;
    case 'interval':
      return `if(masked_count > 0, [NULL, NULL], ${low})`;
    case 'intervals':
      return `mapApply((name, bounds) -> (name, if(masked_count > 0, [NULL, NULL], bounds)), ${low})`;
    case 'boolean':
      // A trim may leave out other households with the highest values.
      return `CAST(${low} OR ${high}, 'Bool')`;
    default:
      return low;
  }
}

/** Interpolating next to an assumed value loses digits, and sums of weights depend on the order of the values. */
function ifSame(low: string, high: string): string {
  return `if(abs(${low} - ${high}) <= 1e-8 + 1e-9 * abs(${low}), ${low}, NULL)`;
}

/** The mean and what is computed from deviations: never known, also if all values are behind masks. */
function needsAllValues({ name, responseName = name, of = responseName }: PointColumn): boolean {
  return /^(metricValue|stdDev|ci)|Ci95$/.test(of);
}
