import type { Field } from '../../catalog/field.ts';
import { endedAt, localTime, metadataAsOfResult } from '../../catalog/result.ts';
import { param, sql, type Expression } from '../../shared/sql/expression.ts';
import { as, type Column } from '../../shared/sql/select.ts';

/** SQL of a result's value of a field, NULL where it has none; `metadata` is that of `metadataColumns`. */
export function fieldValue({ source }: Field): Expression {
  switch (source.kind) {
    case 'column':
      return source.type === 'text' ? `nullIf(${source.column}, '')` : source.column;
    case 'metadata':
      return `metadata.${source.attribute}`;
    case 'custom':
      return sql`JSONExtract(metadata.custom_json, ${customKey(source.key)}, 'Nullable(String)')`;
  }
}

/** Whether a custom value was given as a number. "007" stays a text, and 7 comes back as a number. */
export function isNumberValue(key: string): Expression {
  return sql`has(metadata.custom_number_keys, ${customKey(key)})`;
}

/** Defines `metadata` with every attribute that the splits and filters need, and the local time. */
export function metadataColumns(
  splits: readonly Field[],
  filtered: readonly Field[],
): readonly Column[] {
  const attributes = new Set([
    ...[...splits, ...filtered].flatMap(attributesOf),
    ...(splits.some(({ source }) => source.kind === 'custom') ? ['custom_number_keys'] : []),
  ]);
  const zone = attributes.size === 0 ? 'timezone' : 'metadata.timezone';
  const lookup = as(
    metadataAsOfResult(['timezone', ...attributes]),
    attributes.size === 0 ? 'timezone' : 'metadata',
  );
  return [as(endedAt, 'ended_at'), lookup, as(localTime(zone), 'local_time')];
}

function attributesOf({ source }: Field): string[] {
  switch (source.kind) {
    case 'column':
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
