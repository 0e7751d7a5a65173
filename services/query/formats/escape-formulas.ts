import { sql, type Expression } from '../../shared/sql/expression.ts';
import { quote } from '../../shared/sql/quote.ts';
import { as, type Column } from '../../shared/sql/select.ts';
import { compiledQuery, type ColumnKind, type CompiledQuery } from '../compiler/compiled-query.ts';

/**
 * Adds a ' before every text that a spreadsheet would read as a formula: one that starts with = + - @,
 * a tab or a carriage return. Numbers such as -5 do not change.
 */
export function escapeFormulas(compiled: CompiledQuery): CompiledQuery {
  const { query, columns } = compiled;
  const escaped = query.select.columns.map((column, i) => {
    const { name = '', kind = 'number' } = columns[i] ?? {};
    return escapedColumn(column, kind, name);
  });
  const select = { ...query.select, columns: escaped };
  return compiledQuery({ ...compiled, query: { ...query, select } });
}

function escapedColumn(column: Column, kind: ColumnKind, header: string): Column {
  const { expression, name } =
    typeof column === 'string' ? { expression: column, name: column } : column;
  // The header contains the names of custom fields, which the organisation chooses.
  const alias = startsFormula.test(header) ? quote(`'${header}`, '`') : name;
  return as(escapedValue(expression, kind), alias);
}

const startsFormula = /^[=+\-@\t\r]/;
// An SQL literal: the backslashes are escaped.
const startsFormulaSql = String.raw`'^[=+\\-@\\t\\r]'`;

function escapedValue(value: Expression, kind: ColumnKind): Expression {
  switch (kind) {
    case 'text':
      return sql`if(ifNull(match(${value}, ${startsFormulaSql}), 0), concat('''', ${value}), ${value})`;
    case 'variant': {
      const text = sql`variantElement(${value}, 'String')`;
      return sql`if(ifNull(match(${text}, ${startsFormulaSql}), 0),
    CAST(concat('''', ${text}), 'Variant(Float64, String)'), ${value})`;
    }
    default:
      return value;
  }
}
