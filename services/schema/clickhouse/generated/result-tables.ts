import { resultsTable } from '../../../catalog/result.ts';
import { columnDeclaration, columnType } from '../../../catalog/test-columns.ts';
import {
  testColumns,
  type TestColumn,
  testKeys,
  testTable,
  type TestKey,
} from '../../../catalog/test-tables.ts';
import type { GeneratedTable, TableColumn } from './generated-object.ts';

/** test_<key> of every test, and last_rows_<key> of the tests that can have several rows per result. */
export function resultTables(): readonly GeneratedTable[] {
  return [
    ...testKeys.map(storedRows),
    ...testKeys.filter((key) => testTable(key).lastRowBy !== undefined).map(lastRows),
  ];
}

/**
 * One row per result. A result that is sent twice counts once, and the first one received wins: ReplacingMergeTree keeps
 * the row with the highest first_received. Read with FINAL. dtime is in the sorting key and decides the partition, so
 * do_not_merge_across_partitions_select_final is safe.
 */
function storedRows(key: TestKey): GeneratedTable {
  const { description, rowKey, indexed = [] } = testTable(key);
  return {
    ...tableOf(`test_${key}`, 'first_received', rowKey),
    columns: [...columnsOf(key), ...receivedColumns],
    indexes: [
      timeIndex,
      ...indexed.map((column) => `${column}_range ${column} TYPE minmax GRANULARITY 4`),
    ],
    comment: description,
  };
}

/**
 * The row of each test that counts as its result: the row with the highest sequence, or the last hop of a route. Filled at
 * insert by the materialized view last_rows_<key>_feed. The sorting key is that of test_<key> without the columns that
 * distinguish the rows of one result.
 */
function lastRows(key: TestKey): GeneratedTable {
  const { rowKey, lastRowBy = [] } = testTable(key);
  const ofResult = rowKey.filter((column) => !lastRowBy.includes(column));
  return {
    ...tableOf(resultsTable(key), 'priority', ofResult),
    columns: [
      ...columnsOf(key),
      { name: 'received_at', definition: `DateTime64(6, 'UTC') ${receivedAtComment}` },
      { name: 'first_received', definition: `UInt64 ${firstReceivedComment}` },
      priority(lastRowBy),
    ],
    indexes: [timeIndex],
    comment: `The row of each test in test_${key} that counts as its result`,
  };
}

/** Sorted for queries over the agents of an organisation and days. */
function tableOf(
  name: string,
  version: string,
  rowKey: readonly string[],
): Pick<GeneratedTable, 'kind' | 'name' | 'engine' | 'partitionBy' | 'orderBy'> {
  const orderBy = ['organisation_id', 'toDate(dtime)', 'agent_key', 'dtime', ...rowKey];
  return {
    kind: 'table',
    name,
    engine: `ReplacingMergeTree(${version})`,
    partitionBy: 'toYYYYMM(dtime)',
    orderBy: orderBy.join(', '),
  };
}

// The sorting key alone does not narrow a range of dtime: ClickHouse uses dtime at its place in the key, after agent_key,
// and does not derive toDate(dtime) from it. One day of a month read 83 of 83 granules; with this index it reads 4.
const timeIndex = 'dtime_range dtime TYPE minmax GRANULARITY 1';

const receivedAtComment = "COMMENT 'When the result was received' CODEC(Delta, ZSTD(1))";
const firstReceivedComment = "COMMENT 'Highest for the row received first' CODEC(Delta, ZSTD(1))";

/**
 * first_received falls as received_at rises and, within one insert, as the row number rises (4096 steps per microsecond, so
 * an insert of a million rows spans 0.25 ms). A row with corrected_at replaces all results with the same key, and the later
 * of two corrections wins: its first_received is above that of every result received after 1988, with 1024 steps per
 * microsecond before the year 2100.
 */
const receivedColumns: readonly TableColumn[] = [
  {
    name: 'received_at',
    definition: `DateTime64(6, 'UTC') DEFAULT now64(6, 'UTC') ${receivedAtComment}`,
  },
  {
    name: 'corrected_at',
    definition:
      "DateTime64(6, 'UTC') DEFAULT toDateTime64(0, 6, 'UTC') " +
      "COMMENT 'When a correction was received; 1970 for other results' CODEC(Delta, ZSTD(1))",
  },
  {
    name: 'first_received',
    definition:
      'UInt64 MATERIALIZED if(toUnixTimestamp64Micro(corrected_at) = 0, ' +
      '18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)), ' +
      '18446744073709551615 - 1024 * toUInt64(4102444800000000 - toUnixTimestamp64Micro(corrected_at)))' +
      ` - rowNumberInAllBlocks() ${firstReceivedComment}`,
  },
];

function columnsOf(key: TestKey): readonly TableColumn[] {
  return [
    { name: 'organisation_id', definition: 'UInt32' },
    {
      name: 'agent_key',
      // 0.01 bytes per row with DoubleDelta, 0.67 with Delta.
      definition: "UInt64 COMMENT 'agents.id in Postgres' CODEC(DoubleDelta, ZSTD(1))",
    },
    ...testColumns(key).map((column) => ({ name: column.name, definition: definition(column) })),
  ];
}

function definition({ type, default: value, comment, codec }: TestColumn): string {
  return [
    type,
    ...(value === undefined ? [] : [`DEFAULT ${value}`]),
    ...(comment === undefined ? [] : [`COMMENT '${comment}'`]),
    ...(codec === undefined ? [] : [`CODEC(${codec})`]),
  ].join(' ');
}

/**
 * A number made of the columns that decide which row counts, most significant first, and first_received in the lowest 64
 * bits: among duplicates of that row the first one received wins. Text is compared by its first 23 bytes: every IPv4
 * address, and at least the first four groups of an IPv6 address.
 */
function priority(columns: readonly string[]): TableColumn {
  const isText = (name: string) => columnType(name) === 'text';
  const bitsOf = (name: string) =>
    isText(name) ? 8 * 23 : Number(/\d+$/.exec(columnDeclaration(name).type));
  const allBits = columns.reduce((sum, name) => sum + bitsOf(name), 64);
  const type = allBits <= 128 ? 'UInt128' : 'UInt256';
  let shift = allBits;
  const terms = columns.map((name) => {
    shift -= bitsOf(name);
    const value = isText(name)
      ? `reinterpretAs${type}(reverse(toFixedString(substring(${name}, 1, 23), 23)))`
      : `to${type}(${name})`;
    return `bitShiftLeft(${value}, ${shift})`;
  });
  return {
    name: 'priority',
    definition:
      `${type} MATERIALIZED ${terms.join(' + ')} + first_received ` +
      "COMMENT 'Highest for the row that counts' CODEC(ZSTD(1))",
  };
}
