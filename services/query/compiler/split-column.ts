import type { Field } from '../../catalog/field.ts';
import { sql } from '../../shared/sql/expression.ts';
import { quote } from '../../shared/sql/quote.ts';
import { as, type Column } from '../../shared/sql/select.ts';
import type { PointColumn, SplitOrder } from './compiled-query.ts';
import type { AggregateMetricQuery, MetricQuery } from '../request/metric-query.ts';
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
  /** SQL to order series by. */
  readonly order: string;
  readonly orderedAs: SplitOrder;
  readonly output: PointColumn;
}

/** How a split is read from the metadata, and what a custom value is until the last step. */
export interface SplitForm {
  readonly metadata: MetadataForm;
  readonly customAs: 'id' | 'tuple';
}

type SplitQuery = Pick<MetricQuery, 'chartType' | 'knownAt'> &
  Pick<Partial<AggregateMetricQuery>, 'report'>;

/** The dictionaries have the custom values of published metadata, so an id is enough to find them. */
export function splitForm(query: SplitQuery): SplitForm {
  const metadata = metadataForm(query);
  const isPublished = metadata === 'hashes' && query.report?.compare?.there.knownAt === undefined;
  const isId = query.chartType === 'aggregate' && isPublished;
  return { metadata, customAs: isId ? 'id' : 'tuple' };
}

export function splitColumn(field: Field, position: number, form: SplitForm): SplitColumn {
  const { source, name } = field;
  if (source.kind === 'custom') return customSplit(field, source.key, position, form);
  const type = source.kind === 'column' ? source.type : 'text';
  const isId = source.kind === 'column' && type === 'id';
  const key = isId ? source.column : name;
  return {
    key,
    definition: as(isId ? key : fieldValue(field, form.metadata), key),
    lookups: [],
    order: key,
    orderedAs: isId ? 'id' : 'values',
    output: { name, kind: type === 'number' ? type : 'text', sql: isId ? `toString(${key})` : key },
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
    definition: as(customAs === 'id' ? customValueId(customKey, metadata) : tuple, key),
    lookups: customAs === 'id' ? [as(customValueOf(key), label)] : [],
    // Texts that look like numbers sort as texts: '10' before '9'.
    order: `${isNumber} DESC, if(${isNumber}, toFloat64OrNull(${text}), NULL), ${text}`,
    orderedAs: 'values',
    output: {
      // Not a parameter of type Identifier: the client escapes it, and ClickHouse does not unescape names.
      name: quote(field.name, '`'),
      responseName: field.name,
      kind: 'variant',
      // Via Variant(String): a direct cast of a text to the variant would turn '10' into a number. Published values are
      // LowCardinality, which cannot be cast to a Variant.
      sql: `if(${isNumber},
    toFloat64OrNull(${text})::Nullable(Float64)::Variant(Float64, String),
    (${text})::Nullable(String)::Variant(String)::Variant(Float64, String))`,
    },
  };
}
