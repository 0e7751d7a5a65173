import { sql } from '../../shared/sql/expression.ts';
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
  const pairs = items.map((item) => `'${item.key}', ${item.sql}`).join(',\n        ');
  return [{ name, kind: 'numbers', sql: `map(\n        ${pairs})` }];
}

/** The number, or NULL; an object stays, with nulls: ClickHouse 25.8 has no Nullable(Map). */
export function shownIf(condition: string, column: PointColumn): PointColumn {
  const shown =
    column.kind === 'numbers'
      ? sql`mapApply(
    (name, number) -> (name, if(${condition}, number, NULL)),
    ${column.sql})`
      : sql`if(${condition}, ${column.sql}, NULL)`;
  return { ...column, sql: shown };
}
