// On a cluster all results of an agent are on one shard: test_dns_shard has the rows of a node, and test_dns is
// the Distributed table over the shards.
const shardSuffix = '_shard';

export function isSharded(table: string): boolean {
  return /^(test|last_rows)_/.test(table);
}

export function shardTable(table: string): string {
  return `${table}${shardSuffix}`;
}

/** Whether a table has the local rows of a sharded table. Only ClickHouse itself writes to it. */
export function isShardTable(table: string): boolean {
  return table.endsWith(shardSuffix);
}

/** The Distributed table over the shards: `test_dns` of `test_dns_shard`. */
export function shardedTable(shard: string): string {
  return shard.slice(0, -shardSuffix.length);
}
