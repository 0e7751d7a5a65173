import { boundNames } from '../../catalog/statistics.ts';
import { type Expression, sql } from '../../shared/sql/expression.ts';
import { quote } from '../../shared/sql/quote.ts';
import type { PointColumn } from './compiled-query.ts';

/** Percentiles, shares and counts of what was left out: an object each for JSON, or a column per number for CSV. */
export type NumberLists = 'objects' | 'columns';

export function numberColumn(name: string, sqlText: string): PointColumn {
  return { name, kind: 'number', sql: sqlText };
}

interface NamedNumber {
  readonly key: string;
  /** Name of its column in CSV. */
  readonly column: string;
  readonly sql: string;
}

/** Several numbers of a point, as one object or as columns. */
export function numberColumns(
  name: string,
  items: readonly NamedNumber[],
  lists: NumberLists,
): readonly PointColumn[] {
  if (lists === 'columns') {
    // Quoted: `share2.5` and `share-5` are not identifiers.
    return items.map((item) => ({
      ...numberColumn(quote(item.column, '`'), item.sql),
      responseName: item.column,
      of: name,
    }));
  }
  return [{ name, kind: 'numbers', sql: mapOf(items) }];
}

/** Both bounds of an interval, as a list or as two columns. `bounds`: SQL of a list. */
export function intervalColumns(
  name: string,
  bounds: string,
  lists: NumberLists,
): readonly PointColumn[] {
  return lists === 'columns'
    ? boundColumns({ column: name, sql: bounds }, name)
    : [{ name, kind: 'interval', sql: bounds }];
}

/** Several intervals of a point, as one object of lists or as columns. `sql` of an item is a list. */
export function intervalsColumns(
  name: string,
  items: readonly NamedNumber[],
  lists: NumberLists,
): readonly PointColumn[] {
  if (items.length === 0) return [];
  if (lists === 'columns') return items.flatMap((item) => boundColumns(item, name));
  return [{ name, kind: 'intervals', sql: mapOf(items) }];
}

function boundColumns({ column, sql }: Omit<NamedNumber, 'key'>, name: string) {
  return numberColumns(
    name,
    boundNames.map((bound, i) => ({
      key: bound,
      column: `${column}${bound}`,
      sql: `${sql}[${i + 1}]`,
    })),
    'columns',
  );
}

function mapOf(items: readonly NamedNumber[]): string {
  const pairs = items.map((item) => `'${item.key}', ${item.sql}`).join(',\n        ');
  return `map(\n        ${pairs})`;
}

/** The number, or NULL; an object or a list stays, with nulls: ClickHouse 25.8 has no Nullable(Map). */
export function shownIf(condition: string, column: PointColumn): PointColumn {
  return { ...column, sql: shownSql(condition, column) };
}

function shownSql(condition: string, { kind, sql: shown }: PointColumn): Expression {
  switch (kind) {
    case 'numbers':
    case 'intervals':
      return sql`mapApply(
    (name, number) -> (name, if(${condition}, number, ${kind === 'numbers' ? 'NULL' : '[NULL, NULL]'})),
    ${shown})`;
    case 'interval':
      return sql`if(${condition}, ${shown}, [NULL, NULL])`;
    default:
      return sql`if(${condition}, ${shown}, NULL)`;
  }
}
