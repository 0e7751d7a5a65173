import type { Field } from '../../catalog/field.ts';
import { sql, type Expression } from '../../shared/sql/expression.ts';
import { quote } from '../../shared/sql/quote.ts';
import { as, type Column } from '../../shared/sql/select.ts';
import type { ColumnKind } from './compiled-query.ts';
import { fieldValue, isNumberValue } from './field-value.ts';

/** A split, from the value of a result to the column of the response. */
export interface SplitColumn {
  /** Column of the results; results with the same value are one series. */
  readonly key: string;
  /** Defines the key over a row of the test's table. */
  readonly definition: Column;
  /** SQL over the key, as the response shows it. */
  readonly output: Expression;
  /** SQL to order series by. */
  readonly order: string;
  /** Name in the response, quoted where it is not from the catalogue. */
  readonly name: string;
  readonly kind: ColumnKind;
}

export function splitColumn(field: Field, position: number): SplitColumn {
  const { source, name } = field;
  if (source.kind === 'custom') return customSplit(field, source.key, `custom_${position + 1}`);
  if (source.kind === 'column' && source.type === 'id') {
    const key = source.column;
    const output = `toString(${key})`;
    return { key, definition: key, output, order: key, name, kind: 'text' };
  }
  const isNumber = source.kind === 'column' && source.type === 'number';
  const definition = as(fieldValue(field), name);
  const kind = isNumber ? 'number' : 'text';
  return { key: name, definition, output: name, order: name, name, kind };
}

// Values are kept as text beside the list of keys that hold numbers. Up to the last step a value is
// (is a number, text).
function customSplit(field: Field, customKey: string, key: string): SplitColumn {
  const isNumber = `${key}.1`;
  const text = `${key}.2`;
  return {
    key,
    definition: as(
      sql`(${isNumberValue(customKey)},
    ${fieldValue(field)})`,
      key,
    ),
    // By way of Variant(String): a text cast to the other at once is read as a number if it can be.
    output: `if(${isNumber},
    CAST(toFloat64OrNull(${text}), 'Variant(Float64, String)'),
    CAST(CAST(${text}, 'Variant(String)'), 'Variant(Float64, String)'))`,
    // Texts that look like numbers are texts: '10' before '9'.
    order: `${isNumber} DESC, if(${isNumber}, toFloat64OrNull(${text}), NULL), ${text}`,
    // Not a parameter of type Identifier: the client escapes values, and names are not unescaped.
    name: quote(field.name, '`'),
    kind: 'variant',
  };
}
