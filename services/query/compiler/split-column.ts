import type { Field } from '../../catalog/field.ts';
import { sql, type Expression } from '../../shared/sql/expression.ts';
import { quote } from '../../shared/sql/quote.ts';
import { as, type Column } from '../../shared/sql/select.ts';
import type { ColumnKind, SplitOrder } from './compiled-query.ts';
import type { MetricQuery } from '../request/metric-query.ts';
import {
  customValueId,
  customValueOf,
  type MetadataForm,
  metadataForm,
  fieldValue,
  isNumberValue,
} from './field-value.ts';

/** The SQL of a split, from the value of a result to the column of the response. */
export interface SplitColumn {
  /** Column of the results. Results with the same value form a series. */
  readonly key: string;
  /** Defines the key over a row of the test's table. */
  readonly definition: Column;
  /** Named expressions over the key that `output` and `order` use. */
  readonly lookups: readonly Column[];
  /** SQL for the response. */
  readonly output: Expression;
  /** SQL to order series by. */
  readonly order: string;
  readonly orderedAs: SplitOrder;
  /** Name in the response, quoted if it is a custom field. */
  readonly name: string;
  readonly kind: ColumnKind;
}

/** How a split is read from the metadata, and what a custom value is until the last step. */
export interface SplitForm {
  readonly metadata: MetadataForm;
  readonly customAs: 'id' | 'tuple';
}

/** The dictionaries have the custom values of published metadata, so an id is enough to find them. */
export function splitForm(query: Pick<MetricQuery, 'chartType' | 'knownAt'>): SplitForm {
  const metadata = metadataForm(query);
  const isId = query.chartType === 'aggregate' && metadata === 'hashes';
  return { metadata, customAs: isId ? 'id' : 'tuple' };
}

export function splitColumn(field: Field, position: number, form: SplitForm): SplitColumn {
  const { source, name } = field;
  if (source.kind === 'custom') return customSplit(field, source.key, position, form);
  if (source.kind === 'column' && source.type === 'id') {
    const key = source.column;
    const output = `toString(${key})`;
    return {
      key,
      definition: key,
      lookups: [],
      output,
      order: key,
      orderedAs: 'id',
      name,
      kind: 'text',
    };
  }
  const isNumber = source.kind === 'column' && source.type === 'number';
  const definition = as(fieldValue(field, form.metadata), name);
  const kind = isNumber ? 'number' : 'text';
  return {
    key: name,
    definition,
    lookups: [],
    output: name,
    order: name,
    orderedAs: 'values',
    name,
    kind,
  };
}

/**
 * Custom values are text, next to a list of the keys whose values are numbers. Until the last step a value is a number,
 * `customValueId`, or a tuple: (is a number, text).
 */
function customSplit(
  field: Field,
  customKey: string,
  position: number,
  { metadata, customAs }: SplitForm,
): SplitColumn {
  const key = `custom_${position + 1}`;
  const label = customAs === 'id' ? `label_${position + 1}` : key;
  const isNumber = `${label}.1`;
  const text = `${label}.2`;
  const tuple = sql`(${isNumberValue(customKey, metadata)},
    ${fieldValue(field, metadata)})`;
  return {
    key,
    definition: as(customAs === 'id' ? customValueId(field, customKey, metadata) : tuple, key),
    lookups: customAs === 'id' ? [as(customValueOf(key), label)] : [],
    // Via Variant(String): a direct cast of a text to the variant would turn '10' into a number. Published values are
    // LowCardinality, which cannot be cast to a Variant.
    output: `if(${isNumber},
    toFloat64OrNull(${text})::Nullable(Float64)::Variant(Float64, String),
    (${text})::Nullable(String)::Variant(String)::Variant(Float64, String))`,
    // Texts that look like numbers sort as texts: '10' before '9'.
    order: `${isNumber} DESC, if(${isNumber}, toFloat64OrNull(${text}), NULL), ${text}`,
    orderedAs: 'values',
    // Not a parameter of type Identifier: the client escapes it, and ClickHouse does not unescape names.
    name: quote(field.name, '`'),
    kind: 'variant',
  };
}
