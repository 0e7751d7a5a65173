/** The content of a snapshot, as a count and a hash that Postgres and ClickHouse both compute. */
export interface SnapshotContent {
  readonly rowCount: number;
  /** Sum of the rows' hashes, modulo 2^64: the order of the rows does not count. */
  readonly contentHash: bigint;
}

export function isSameContent(a: SnapshotContent, b: SnapshotContent): boolean {
  return a.rowCount === b.rowCount && a.contentHash === b.contentHash;
}

/** Columns of agent_metadata_snapshot after the version, in their order; the last two are not scalar. */
export const scalarColumns = [
  'organisation_id',
  'agent_key',
  'valid_from',
  'valid_to',
  'agent_id',
  'unit_id',
  'mac_address',
  'kind',
  'base',
  'country',
  'isp',
  'package',
  'timezone',
] as const;

export const snapshotColumns = [...scalarColumns, 'custom', 'custom_number_keys'] as const;

/**
 * A row as one text, the same on both sides: every value as `<bytes>:<text>`, NULL as `~`. So
 * ('ab', 'c') and ('a', 'bc') differ. Times are seconds since 1970.
 */
export const postgresRowText = [
  ...scalarColumns.map((column) => postgresNetstring(`cast(${column} as text)`)),
  'custom_text',
  'custom_number_keys_text',
].join(" || ',' || ");

/**
 * Joined to rows with a column `custom`: its two columns of the snapshot as JSON, and their parts of
 * the canonical text, by key. All four from one pass over the object, which is most of a row's cost.
 */
export const postgresCustomColumns = `(
    select coalesce(json_object_agg(key, value), '{}') as custom_map,
           coalesce(json_agg(key) filter (where is_number), '[]') as custom_number_keys,
           coalesce(string_agg(key_text || value_text, ''), '') as custom_text,
           coalesce(string_agg(key_text, '') filter (where is_number), '') as custom_number_keys_text
    from (
      select key, value #>> '{}' as value, jsonb_typeof(value) = 'number' as is_number,
             ${postgresNetstring('key')} as key_text, ${postgresNetstring("(value #>> '{}')")} as value_text
      from jsonb_each(custom) order by key collate "C"
    ) as pairs
  ) as custom_columns`;

/** `valueOf` says how a column is read: as it stands, or out of the dictionary. */
export function clickHouseRowText(valueOf: (column: string) => string): string {
  const scalars = scalarColumns.map((column) => {
    const value = valueOf(column);
    const isTime = column === 'valid_from' || column === 'valid_to';
    return clickHouseNetstring(isTime ? `toUnixTimestamp(${value})` : value);
  });
  const custom = valueOf('custom');
  const pair = `concat(${clickHouseNetstring('k')}, ${clickHouseNetstring('v')})`;
  const texts = [
    ...scalars,
    `arrayStringConcat(arrayMap((k, v) -> ${pair}, arraySort(mapKeys(${custom})),
      arraySort((v, k) -> k, mapValues(${custom}), mapKeys(${custom}))))`,
    `arrayStringConcat(arrayMap(k -> ${clickHouseNetstring('k')}, arraySort(${valueOf('custom_number_keys')})))`,
  ];
  return `concat(${texts.join(", ',', ")})`;
}

/** SQL of the map `custom` of a snapshot row, from the JSON text that the dictionary holds. */
export function customFromJson(json: string): string {
  return `JSONExtract(${json}, 'Map(String, String)')`;
}

/** The figures of a table of snapshot rows, as an aggregate: row_count, content_hash. */
export const clickHouseContent = `count() AS row_count,
  toString(sum(reinterpretAsUInt64(reverse(substring(MD5(${clickHouseRowText((column) => column)}), 1, 8))))) AS content_hash`;

function postgresNetstring(text: string): string {
  return `coalesce(octet_length(${text}) || ':' || ${text}, '~')`;
}

function clickHouseNetstring(value: string): string {
  return `ifNull(concat(toString(length(toString(${value}))), ':', toString(${value})), '~')`;
}
