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

/** SQL for the value of a field in a result, NULL if it has none. Needs `metadataColumns`. */
export function fieldValue({ source }: Field): Expression {
  switch (source.kind) {
    case 'column':
      return source.type === 'text' ? `nullIf(${source.column}, '')` : source.column;
    case 'metadata':
      return `metadata.${source.attribute}`;
    case 'custom':
      return sql`JSONExtract(metadata.custom_json, ${customKey(source.key)}, 'Nullable(String)')`;
    case 'set':
      // A filter compares it with the agents of sets.
      return 'agent_key';
  }
}

/** Whether a custom value was set as a number: "007" stays a text, 7 is returned as a number. */
export function isNumberValue(key: string): Expression {
  return sql`has(metadata.custom_number_keys, ${customKey(key)})`;
}

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
    as(utcOffset(isTuple ? 'metadata.timezone_hash' : 'timezone_hash'), 'clock'),
    as(localTime, 'local_time'),
  ];
}

/** Every attribute of the metadata that the splits and filters need. */
export function metadataAttributes(
  splits: readonly Field[],
  filtered: readonly Field[],
): readonly string[] {
  const attributes = new Set([
    ...[...splits, ...filtered].flatMap(attributesOf),
    ...(splits.some(({ source }) => source.kind === 'custom') ? ['custom_number_keys'] : []),
  ]);
  return [...attributes];
}

function attributesOf({ source }: Field): string[] {
  switch (source.kind) {
    case 'column':
    case 'set':
      return [];
    case 'metadata':
      return [source.attribute];
    case 'custom':
      return ['custom_json'];
  }
}

function customKey(key: string) {
  return param('custom_key', 'String', key);
}
