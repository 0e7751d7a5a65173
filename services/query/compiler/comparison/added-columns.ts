import {
  changeNumbers,
  comparisonColumn,
  differenceNumbers,
  householdCounts,
  medianInterval,
} from '../../../catalog/comparison.ts';
import { quote } from '../../../shared/sql/quote.ts';
import { type Expression, sql } from '../../../shared/sql/expression.ts';
import type { ColumnKind, PointColumn } from '../compiled-query.ts';
import { intervalColumns, type NumberLists, numberColumn } from '../number-columns.ts';
import type { Plan } from '../stage.ts';
import { isOverTime } from './sides.ts';

/** What a comparison adds to a point. `compared`: the columns of the other side. */
export function addedColumns(
  plan: Plan,
  compared: readonly PointColumn[],
  lists: NumberLists,
): readonly PointColumn[] {
  const numbers = (list: readonly { name: string; sql: string }[]) =>
    list.map(({ name, sql: number }) => numberColumn(name, number));
  const difference = [
    ...numbers(differenceNumbers),
    ...intervalColumns('medianCi95', medianInterval, lists),
    { name: 'reason', kind: 'text', sql: 'reason' } as const,
  ];
  return [
    ...grouped('compared', compared, lists),
    ...grouped('difference', difference, lists),
    // The households of published cells are unknown.
    ...(plan.query.metric.stored ? [] : grouped('households', numbers(householdCounts), lists)),
    ...(isOverTime(plan.query) ? grouped('change', numbers(changeNumbers), lists) : []),
  ];
}

/** An object, or columns whose names begin with that of the object. */
function grouped(
  name: string,
  columns: readonly PointColumn[],
  lists: NumberLists,
): readonly PointColumn[] {
  if (lists === 'columns') {
    return columns.map(({ name: own, responseName = own, ...column }) => {
      const full = comparisonColumn(name, responseName);
      return { ...column, name: quote(full, '`'), responseName: full };
    });
  }
  const types = columns.map((column) => `${column.name} ${typeOf[column.kind]}`);
  const values = columns.flatMap((column, i): Expression[] =>
    i === 0 ? [column.sql] : [',\n    ', column.sql],
  );
  return [
    {
      name,
      kind: 'object',
      sql: sql`CAST((
    ${values}),
    'Tuple(
        ${types.join(',\n        ')})')`,
    },
  ];
}

const typeOf: Readonly<Record<ColumnKind, string>> = {
  number: 'Nullable(Float64)',
  text: 'Nullable(String)',
  time: 'Nullable(String)',
  variant: 'Nullable(String)',
  boolean: 'Bool',
  numbers: 'Map(String, Nullable(Float64))',
  interval: 'Array(Nullable(Float64))',
  intervals: 'Map(String, Array(Nullable(Float64)))',
  object: 'Nullable(String)',
};
