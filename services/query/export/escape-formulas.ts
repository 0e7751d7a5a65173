import type { CompiledQuery, QueryParam } from '../compiler/compiled-query.ts';

interface TypedColumn {
  readonly name: string;
  /** ClickHouse's type: `LowCardinality(String)`, `Nullable(UInt64)`, `Variant(Float64, String)` … */
  readonly type: string;
}

/**
 * The same query, with a ' before every text that a spreadsheet would take for a formula: one that
 * starts with = + - @, a tab or a carriage return. Numbers stay as they are: -5 is no text.
 */
export function escapeFormulas(
  query: CompiledQuery,
  columns: readonly TypedColumn[],
): CompiledQuery {
  const params: Record<string, QueryParam> = { ...query.params };
  const identifier = (name: string) => {
    const param = `p${Object.keys(params).length}`;
    params[param] = { type: 'Identifier', value: name };
    return `{${param}:Identifier}`;
  };
  const selected = columns.map(({ name, type }) => {
    const column = identifier(name);
    // A custom field's name is the organisation's own text, and stands in the header.
    const alias = startsFormula.test(name) ? identifier(`'${name}`) : column;
    return `    ${guarded(column, type)} AS ${alias}`;
  });
  return {
    ...query,
    sql: [
      'SELECT',
      selected.join(',\n'),
      'FROM',
      '(',
      query.sql,
      ')',
      'SETTINGS prefer_column_name_to_alias = 1',
    ].join('\n'),
    params,
  };
}

const startsFormula = /^[=+\-@\t\r]/;
// As an SQL literal: the backslashes are for the regular expression.
const startsFormulaSql = String.raw`'^[=+\\-@\\t\\r]'`;

function guarded(column: string, type: string): string {
  if (type.startsWith('Variant')) {
    const text = `variantElement(${column}, 'String')`;
    return `if(ifNull(match(${text}, ${startsFormulaSql}), 0), CAST(concat('''', ${text}), '${type}'), ${column})`;
  }
  if (!/String\b/.test(type) || /Array|Map|Tuple/.test(type)) return column;
  return `if(ifNull(match(${column}, ${startsFormulaSql}), 0), concat('''', ${column}), ${column})`;
}
