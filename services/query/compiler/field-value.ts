import type { Field } from '../../catalog/field.ts';
import { endedAt, localTime, namedTuple, utcOffset } from '../../catalog/result.ts';
import { param, sql, type Expression } from '../../shared/sql/expression.ts';
import { as, type Column } from '../../shared/sql/select.ts';
import type { MetricQuery } from '../request/metric-query.ts';

/** What a step has of the metadata: the columns of `results_<test>`, or values of the join `known`, custom ones as JSON. */
export type MetadataForm = 'hashes' | 'values';

export function metadataForm({ knownAt }: Pick<MetricQuery, 'knownAt'>): MetadataForm {
  return knownAt === undefined ? 'hashes' : 'values';
}

/** SQL for the value of a field in a result, NULL if it has none. Needs `metadataColumns`. */
export function fieldValue({ source }: Field, form: MetadataForm): Expression {
  switch (source.kind) {
    case 'column':
      return source.type === 'text' ? `nullIf(${source.column}, '')` : source.column;
    case 'metadata':
      return form === 'values' ? `metadata.${source.attribute}` : source.attribute;
    case 'custom':
      return form === 'values'
        ? sql`JSONExtract(metadata.custom_json, ${customKey(source.key)}, 'Nullable(String)')`
        : sql`dictGet('custom_value', 'value', sipHash64(customs, ${customKey(source.key)}))`;
    case 'set':
      // A filter compares it with the agents of sets.
      return 'agent_key';
  }
}

/** Whether a custom value was set as a number: "007" stays a text, 7 is returned as a number. */
export function isNumberValue(key: string, form: MetadataForm): Expression {
  return form === 'values'
    ? sql`has(metadata.custom_number_keys, ${customKey(key)})`
    : sql`dictGet('custom_value', 'is_number', sipHash64(customs, ${customKey(key)}))`;
}

/** A number for a custom value that results are grouped by, 0 without one: a key of the dictionary `custom_value`. */
export function customValueId(key: string, form: MetadataForm): Expression {
  return form === 'values'
    ? sql`metadata.custom_ids[${customKey(key)}]`
    : sql`CAST(
    dictGet('custom_value', 'value_id', sipHash64(customs, ${customKey(key)})),
    'UInt64')`;
}

/** The custom value of an id: whether it is a number, and its text. */
export function customValueOf(id: string): string {
  return `dictGet('custom_value', ('is_number', 'value'), if(
    ${throwIfNotLoaded(id)},
    0, ${id}))`;
}

/** The value as a number that reports can divide by: NULL if it is missing, not a number, infinite, 0 or negative. */
export function positiveNumber(field: Field, form: MetadataForm): Expression {
  const { source } = field;
  if (form === 'hashes' && source.kind === 'custom') {
    return sql`CAST(dictGet('custom_value', 'positive_number', sipHash64(customs, ${customKey(source.key)})),
    'Nullable(Float64)')`;
  }
  return sql`arrayFirstOrNull(
    number -> isFinite(number) AND number > 0,
    [toFloat64OrNull(ifNull(
        ${fieldValue(field, form)},
        ''))])`;
}

/** When the test ended. `metadataColumns` defines it where the metadata is looked up by it. */
export function endedAtColumn(form: MetadataForm): Column {
  return form === 'values' ? 'ended_at' : as(endedAt, 'ended_at');
}

/**
 * Fails a query that uses custom values that are not loaded, as after a restart of ClickHouse during a publication.
 * Without this, the values would silently be missing. `key` is 0 without a value.
 */
function throwIfNotLoaded(key: string, id = key): string {
  return `throwIf(${key} != 0 AND NOT dictHas('custom_value', ${id}),
    'custom values are being loaded: send the request again')`;
}

/**
 * Defines `customs` over the columns of `results_<test>`: a function of a LowCardinality column is evaluated once for each
 * different value of a block. With the join `known` it defines `ended_at`, `local_time` and `metadata` instead.
 */
export function metadataColumns(
  attributes: readonly string[],
  form: MetadataForm,
): readonly Column[] {
  if (form === 'hashes') {
    return attributes.includes('custom_hash')
      ? [as('toLowCardinality(custom_hash)', 'customs')]
      : [];
  }
  return [
    as(endedAt, 'ended_at'),
    ...(attributes.length === 0 ? [] : [as(knownMetadata(attributes), 'metadata')]),
    as(utcOffset('ifNull(cityHash64(known.timezone), 0)'), 'clock'),
    as(localTime, 'local_time'),
  ];
}

function knownMetadata(attributes: readonly string[]): string {
  // Two at least: one value in parentheses is not a tuple.
  const names = ['timezone', ...attributes];
  // The country of an agent has no history, so it does not depend on knownAt.
  return namedTuple(
    names,
    names.map((name) => (name === 'country' ? name : `known.${name}`)),
  );
}

/** Conditions of the step that has `metadataColumns`. */
export function customConditions(attributes: readonly string[]): readonly string[] {
  return attributes.includes('custom_hash')
    ? [`${throwIfNotLoaded('customs', 'sipHash64(customs)')} = 0`]
    : [];
}

/** Every attribute of the metadata that the splits and filters need. */
export function metadataAttributes(
  splits: readonly Field[],
  filtered: readonly Field[],
  form: MetadataForm,
): readonly string[] {
  const hasNumbers = form === 'values' && splits.some(({ source }) => source.kind === 'custom');
  const attributes = [...splits, ...filtered].flatMap(({ source }) => {
    if (source.kind === 'metadata') return source.attribute;
    const custom = form === 'values' ? 'custom_json' : 'custom_hash';
    return source.kind === 'custom' ? custom : [];
  });
  return [...new Set([...attributes, ...(hasNumbers ? ['custom_number_keys'] : [])])];
}

function customKey(key: string) {
  return param('custom_key', 'String', key);
}
