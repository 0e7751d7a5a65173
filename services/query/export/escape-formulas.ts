import { sql, type Expression } from '../../shared/sql/expression.ts';
import { quote } from '../../shared/sql/quote.ts';
import { as, type Column } from '../../shared/sql/select.ts';
import { compiledQuery, type ColumnKind, type CompiledQuery } from '../compiler/compiled-query.ts';

/**
 * The same query, with a ' before every text that a spreadsheet would take for a formula: one that
 * starts with = + - @, a tab or a carriage return. Numbers stay as they are: -5 is no text.
 */
export function escapeFormulas({ query, columns, seriesColumns }: CompiledQuery): CompiledQuery {
  const { select } = query;
  const escaped = select.columns.map((column, i) => {
    const { name = '', kind = 'number' } = columns[i] ?? {};
    return escapedColumn(column, kind, name);
  });
  return compiledQuery(
    { ...query, select: { ...select, columns: escaped } },
    columns,
    seriesColumns,
  );
}

function escapedColumn(column: Column, kind: ColumnKind, header: string): Column {
  const { expression, name } =
    typeof column === 'string' ? { expression: column, name: column } : column;
  // A custom field's name is the organisation's own text, and stands in the header.
  const alias = startsFormula.test(header) ? quote(`'${header}`, '`') : name;
  return as(escapedValue(expression, kind), alias);
}

const startsFormula = /^[=+\-@\t\r]/;
// As an SQL literal: the backslashes are for the regular expression.
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
