import { agentColumns } from '../../registry/agents/agent-record.ts';

/** The metadata of an organisation in ClickHouse, under a number that no other publication has. */
export interface Publication {
  readonly organisationId: number;
  readonly number: number;
  readonly content: SnapshotContent;
}

/** The content of a snapshot, as a count and a hash that Postgres and ClickHouse both compute. */
export interface SnapshotContent {
  readonly rowCount: number;
  /** Sum of the rows' hashes, modulo 2^64, independent of the order of rows. */
  readonly contentHash: bigint;
}

export function isSameContent(a: SnapshotContent, b: SnapshotContent): boolean {
  return a.rowCount === b.rowCount && a.contentHash === b.contentHash;
}

/** Scalar columns of agent_metadata_period, in order; `publication` comes before them. */
export const scalarColumns = [
  'organisation_id',
  'agent_key',
  'valid_from',
  'valid_to',
  ...agentColumns,
] as const;

export const snapshotColumns = [...scalarColumns, 'custom', 'custom_number_keys'] as const;

/**
 * The canonical text of a row, the same in Postgres and ClickHouse: every value as `<bytes>:<text>`
 * (a netstring), NULL as `~`. So ('ab', 'c') and ('a', 'bc') differ. Times are UNIX timestamps.
 */
export const postgresRowText = [
  ...scalarColumns.map((column) => postgresNetstring(`cast(${column} as text)`)),
  'custom_text',
  'custom_number_keys_text',
].join(" || ',' || ");

/**
 * A lateral join for rows with a column `custom`: the two snapshot columns as JSON, and their canonical
 * texts. Computed in one pass over the object, which is most of the cost of a row.
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

const clickHouseRowTexts = [
  ...scalarColumns.map((column) => {
    const isTime = column === 'valid_from' || column === 'valid_to';
    return clickHouseNetstring(isTime ? `toUnixTimestamp(${column})` : column);
  }),
  `arrayStringConcat(arrayMap((k, v) -> concat(${clickHouseNetstring('k')}, ${clickHouseNetstring('v')}), arraySort(mapKeys(custom)),
      arraySort((v, k) -> k, mapValues(custom), mapKeys(custom))))`,
  `arrayStringConcat(arrayMap(k -> ${clickHouseNetstring('k')}, arraySort(custom_number_keys)))`,
].join(", ',', ");

/** SQL of the map `custom`, from the JSON text in the dictionary. */
export function customFromJson(json: string): string {
  return `JSONExtract(${json}, 'Map(String, String)')`;
}

/** Aggregates over snapshot rows: row_count, content_hash. */
export const clickHouseContent = `count() AS row_count,
  toString(sum(reinterpretAsUInt64(reverse(substring(MD5(concat(${clickHouseRowTexts})), 1, 8))))) AS content_hash`;

function postgresNetstring(text: string): string {
  return `coalesce(octet_length(${text}) || ':' || ${text}, '~')`;
}

function clickHouseNetstring(value: string): string {
  return `ifNull(concat(toString(length(toString(${value}))), ':', toString(${value})), '~')`;
}
