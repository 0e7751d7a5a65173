import type { Field } from '../../catalog/field.ts';

/**
 * One look-up in the dictionary a result, whatever is asked of it: the household's metadata as of
 * the result. What the dictionary does not know is NULL (custom: empty), since its attributes are.
 */
export interface MetadataLookup {
  /** SQL that defines the alias the others refer to. */
  readonly definition: string;
  /** SQL of an attribute's value. */
  readonly value: (attribute: string) => string;
}

export function metadataLookup(
  splits: readonly Field[],
  filtered: readonly Field[],
): MetadataLookup {
  const attributes = new Set([
    'timezone',
    ...[...splits, ...filtered].flatMap(attributesOf),
    ...(splits.some(isCustom) ? ['custom_number_keys'] : []),
  ]);
  const names = [...attributes].map((attribute) => `'${attribute}'`);
  const wanted = names.length === 1 ? names.join('') : `(${names.join(', ')})`;
  return {
    definition: `dictGet('agent_metadata', ${wanted}, agent_key, ended_at) AS metadata`,
    value: (attribute) => (names.length === 1 ? 'metadata' : `metadata.${attribute}`),
  };
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

function isCustom({ source }: Field): boolean {
  return source.kind === 'custom';
}

/** SQL of a custom value as text; NULL where the key is not there. */
export function customValue(metadata: MetadataLookup, boundKey: string): string {
  return `JSONExtract(${metadata.value('custom_json')}, ${boundKey}, 'Nullable(String)')`;
}
