import { sql } from '../../shared/sql/expression.ts';
import { as } from '../../shared/sql/select.ts';
import { compiledQuery, type CompiledQuery } from '../compiler/compiled-query.ts';

/** A column of Parquet has one type. A custom field, which may have numbers and texts, becomes a column of texts. */
export function variantsAsText(compiled: CompiledQuery): CompiledQuery {
  const { query, columns } = compiled;
  const texts = query.select.columns.map((column, i) => {
    if (columns[i]?.kind !== 'variant' || typeof column === 'string') return column;
    return as(sql`CAST(${column.expression}, 'Nullable(String)')`, column.name);
  });
  return compiledQuery({
    ...compiled,
    query: { ...query, select: { ...query.select, columns: texts } },
  });
}
