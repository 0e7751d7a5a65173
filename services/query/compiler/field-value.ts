import type { Field } from '../../catalog/field.ts';
import {
  endedAt,
  localTime,
  metadataAsOfResult,
  type MetadataSource,
  utcOffset,
} from '../../catalog/result.ts';
import { param, sql, type Expression } from '../../shared/sql/expression.ts';
import { as, type Column } from '../../shared/sql/select.ts';
import type { MetricQuery } from '../request/metric-query.ts';

/** What a step has of the metadata: hashes, from the dictionaries, or the values, custom ones as JSON. */
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
      return `metadata.${source.attribute}`;
    case 'custom':
      return form === 'values'
        ? sql`JSONExtract(metadata.custom_json, ${customKey(source.key)}, 'Nullable(String)')`
        : sql`dictGet('custom_value', 'value', sipHash64(custom_hash, ${customKey(source.key)}))`;
    case 'set':
      // A filter compares it with the agents of sets.
      return 'agent_key';
  }
}

/** Whether a custom value was set as a number: "007" stays a text, 7 is returned as a number. */
export function isNumberValue(key: string, form: MetadataForm): Expression {
  return form === 'values'
    ? sql`has(metadata.custom_number_keys, ${customKey(key)})`
    : sql`dictGet('custom_value', 'is_number', sipHash64(custom_hash, ${customKey(key)}))`;
}

/** A number for a custom value that results are grouped by, 0 without one: a key of the dictionary `custom_value`. */
export function customValueId(field: Field, key: string, form: MetadataForm): Expression {
  if (form === 'hashes') {
    return sql`CAST(
    dictGet('custom_value', 'value_id', sipHash64(custom_hash, ${customKey(key)})),
    'UInt64')`;
  }
  const value = fieldValue(field, form);
  return sql`if(isNull(${value}), 0, sipHash64(
    ${isNumberValue(key, form)},
    assumeNotNull(${value})))`;
}

/** The custom value of an id: whether it is a number, and its text. */
export function customValueOf(id: string): string {
  return `dictGet('custom_value', ('is_number', 'value'), if(
    ${throwIfNotLoaded(id)},
    0, ${id}))`;
}

/** The custom value as a number that reports can divide by: NULL if it is none, infinite, 0 or negative. */
export function publishedNumber(key: string): Expression {
  return sql`CAST(dictGet('custom_value', 'positive_number', sipHash64(custom_hash, ${customKey(key)})),
    'Nullable(Float64)')`;
}

/**
 * Fails a query that uses custom values that are not loaded, as after a restart of ClickHouse during a publication: no
 * value would be a wrong answer that looks right. `key` is 0 without a value.
 */
function throwIfNotLoaded(key: string, id = key): string {
  return `throwIf(${key} != 0 AND NOT dictHas('custom_value', ${id}),
    'custom values are being loaded: send the request again')`;
}

/** Defines the local time, and `metadata` with the attributes, if there are any. */
export function metadataColumns(
  attributes: readonly string[],
  source?: MetadataSource,
): readonly Column[] {
  const hasCustom = attributes.includes('custom_hash');
  const hashes = hasCustom ? 'timezone_custom_hash' : 'timezone_hash';
  const others = attributes.filter((attribute) => attribute !== 'custom_hash');
  const isTuple = others.length > 0;
  const value = isTuple ? `metadata.${hashes}` : hashes;
  return [
    as(endedAt, 'ended_at'),
    as(metadataAsOfResult([hashes, ...others], source), isTuple ? 'metadata' : hashes),
    ...(hasCustom ? bothHashes(value) : []),
    as(utcOffset(hasCustom ? 'timezone_hash' : value), 'clock'),
    as(localTime, 'local_time'),
  ];
}

/**
 * The hashes of `timezone_custom_hash`, which is one attribute because ClickHouse searches once per attribute. A function of
 * a LowCardinality column is evaluated once for each different value of a block.
 */
function bothHashes(timezoneCustomHash: string): readonly Column[] {
  return [
    as(`toUInt64(bitShiftRight(${timezoneCustomHash}, 64))`, 'timezone_hash'),
    as(`toLowCardinality(toUInt64(${timezoneCustomHash}))`, 'custom_hash'),
  ];
}

/** Conditions of the step that has `metadataColumns`. */
export function customConditions(attributes: readonly string[]): readonly string[] {
  return attributes.includes('custom_hash')
    ? [`${throwIfNotLoaded('custom_hash', 'sipHash64(custom_hash)')} = 0`]
    : [];
}

/** Every attribute of the metadata that the splits and filters need. */
export function metadataAttributes(
  splits: readonly Field[],
  filtered: readonly Field[],
  form: MetadataForm,
): readonly string[] {
  const hasNumbers = form === 'values' && splits.some(({ source }) => source.kind === 'custom');
  const attributes = new Set([
    ...[...splits, ...filtered].flatMap((field) => attributesOf(field, form)),
    ...(hasNumbers ? ['custom_number_keys'] : []),
  ]);
  return [...attributes];
}

function attributesOf({ source }: Field, form: MetadataForm): string[] {
  switch (source.kind) {
    case 'column':
    case 'set':
      return [];
    case 'metadata':
      return [source.attribute];
    case 'custom':
      return [form === 'values' ? 'custom_json' : 'custom_hash'];
  }
}

function customKey(key: string) {
  return param('custom_key', 'String', key);
}
