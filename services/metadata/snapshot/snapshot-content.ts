/** What a snapshot holds, in figures that Postgres and ClickHouse both can tell. */
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
  `coalesce((select string_agg(pair, '' order by pair collate "C") from (
     select ${postgresNetstring('key')} || ${postgresNetstring('value')} as pair
     from jsonb_each_text(custom)) as pairs), '')`,
  `coalesce((select string_agg(${postgresNetstring('key')}, '' order by ${postgresNetstring('key')} collate "C")
     from jsonb_each(custom) where jsonb_typeof(value) = 'number'), '')`,
].join(" || ',' || ");

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
    `arrayStringConcat(arraySort(arrayMap((k, v) -> ${pair}, mapKeys(${custom}), mapValues(${custom}))))`,
    `arrayStringConcat(arraySort(arrayMap(k -> ${clickHouseNetstring('k')}, ${valueOf('custom_number_keys')})))`,
  ];
  return `concat(${texts.join(", ',', ")})`;
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
