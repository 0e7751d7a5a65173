import type { Field } from '../../catalog/field.ts';
import { customValue, type MetadataLookup } from './metadata-lookup.ts';
import type { ParamBinder } from './param-binder.ts';
import { quoted } from './sql-text.ts';

/** A split, from the value of a result to the column of the answer. */
export interface SplitColumn {
  /** Internal name, from the row up to the last step; the answer's name could hide another. */
  readonly alias: string;
  /** SQL of a result's value; rows with the same value are one series. */
  readonly key: string;
  /** SQL over the alias, as the answer shows it. */
  readonly output: string;
  /** SQL to order series by. */
  readonly order: string;
  /** Name in the answer, quoted where it is not from the catalogue. */
  readonly name: string;
}

export function splitColumn(
  field: Field,
  position: number,
  metadata: MetadataLookup,
  binder: ParamBinder,
): SplitColumn {
  const { source } = field;
  const alias = `s${position}`;
  if (source.kind === 'custom') return customSplit(field.name, source.key, alias, metadata, binder);
  const plain = { alias, output: alias, order: alias, name: field.name };
  if (source.kind === 'metadata') return { ...plain, key: metadata.value(source.attribute) };
  if (source.type === 'text') return { ...plain, key: `nullIf(${source.column}, '')` };
  return {
    ...plain,
    key: source.column,
    output: source.type === 'id' ? `toString(${alias})` : alias,
  };
}

// Values are kept as text beside the list of keys that hold numbers, so that "007" stays a text and
// 7 comes back as a number. In between a value travels as (is a number, text).
function customSplit(
  name: string,
  customKey: string,
  alias: string,
  metadata: MetadataLookup,
  binder: ParamBinder,
): SplitColumn {
  const key = binder.bind('String', customKey);
  const isNumber = `has(${metadata.value('custom_number_keys')}, ${key})`;
  return {
    alias,
    key: `(${isNumber}, ${customValue(metadata, key)})`,
    // By way of Variant(String): a text cast to the other at once is read as a number if it can be.
    output: `if(${alias}.1, CAST(toFloat64OrNull(${alias}.2), 'Variant(Float64, String)'), CAST(CAST(${alias}.2, 'Variant(String)'), 'Variant(Float64, String)'))`,
    // Texts that look like numbers are texts: '10' before '9'.
    order: `${alias}.1 DESC, if(${alias}.1, toFloat64OrNull(${alias}.2), NULL), ${alias}.2`,
    // Not a parameter of type Identifier: the client escapes values, and names are not unescaped.
    name: quoted(name, '`'),
  };
}
