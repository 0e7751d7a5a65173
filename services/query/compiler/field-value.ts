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

/** The custom value as a number that reports can divide by: NULL if it is none, infinite, 0 or negative. */
export function publishedNumber(key: string): Expression {
  return sql`CAST(dictGet('custom_value', 'positive_number', sipHash64(custom_hash, ${customKey(key)})),
    'Nullable(Float64)')`;
}

/**
 * Fails a query that uses metadata whose custom values are not loaded yet, as after a restart of ClickHouse during a
 * publication: no value would be a wrong answer that looks right.
 */
const customValuesAreLoaded = `throwIf(custom_hash != 0 AND NOT dictHas('custom_value', sipHash64(custom_hash)),
    'custom values are being loaded: send the request again') = 0`;

/** Defines the local time, and `metadata` with the attributes, if there are any. */
export function metadataColumns(
  attributes: readonly string[],
  source?: MetadataSource,
): readonly Column[] {
  const isTuple = attributes.length > 0;
  return [
    as(endedAt, 'ended_at'),
    as(
      metadataAsOfResult(['timezone_hash', ...attributes], source),
      isTuple ? 'metadata' : 'timezone_hash',
    ),
    ...customColumns(attributes),
    as(utcOffset(isTuple ? 'metadata.timezone_hash' : 'timezone_hash'), 'clock'),
    as(localTime, 'local_time'),
  ];
}

/** ClickHouse evaluates a function of a LowCardinality column once for each different value of a block. */
function customColumns(attributes: readonly string[]): readonly Column[] {
  if (!attributes.includes('custom_hash')) return [];
  return [as('toLowCardinality(metadata.custom_hash)', 'custom_hash')];
}

/** Conditions of the step that has `metadataColumns`. */
export function customConditions(attributes: readonly string[]): readonly string[] {
  return attributes.includes('custom_hash') ? [customValuesAreLoaded] : [];
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
