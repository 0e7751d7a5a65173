import { mergeTreeEngine, type SchemaStatement } from './parse-statement.ts';
import { isSharded, shardTable } from './sharded-tables.ts';

/**
 * Translates a statement of a migration into the statements for a cluster, in order. Without a cluster, returns the
 * statement itself.
 *
 * - Results (test_*, last_rows_*) are on the shard of their agent, in `test_dns_shard`. `test_dns` is a Distributed
 *   table over the shards, so queries and inserts use the same table name as on a single server. A new column is
 *   added to the shards before the Distributed table, and dropped in the opposite order.
 * - Every other table is small and needed on every node, mainly by the dictionaries: one set of replicas across
 *   all shards.
 */
export function clusterDdl(statement: SchemaStatement, cluster: string): readonly string[] {
  if (cluster === '' || statement.kind === 'insert') return [statement.text];
  const { kind, object, name } = statement;
  const onCluster = (table = name) => addressedTo(statement, table, cluster);

  if (kind === 'drop') {
    // SYNC frees the path in Keeper, so that the table can be created again.
    const tables = object === 'TABLE' && isSharded(name) ? [name, shardTable(name)] : [name];
    return tables.map((table) => `${onCluster(table)} SYNC`);
  }
  if (kind === 'alter') return alterTable(statement, cluster);
  if (object !== 'TABLE') return [onCluster()];
  if (!isSharded(name)) return [replicated(onCluster(), everywhere)];
  const shard = shardTable(name);
  return [
    replicated(onCluster(shard), perShard),
    `CREATE TABLE IF NOT EXISTS ${name} ON CLUSTER ${cluster} AS ${shard}\n` +
      // All results of an agent are on one shard, so deduplication works per shard.
      `ENGINE = Distributed('${cluster}', '\${database}', '${shard}', cityHash64(agent_key))`,
  ];
}

function alterTable(statement: SchemaStatement, cluster: string): readonly string[] {
  const { name, text, alter } = statement;
  if (isSharded(name)) {
    return (alter?.tables ?? []).map((table) =>
      addressedTo(statement, table === 'shard' ? shardTable(name) : name, cluster),
    );
  }
  // ON CLUSTER runs an ALTER once per shard, and all shards have replicas of this table: concurrent ALTERs fail
  // (code 517). Run on one node, the ALTER is replicated to the others.
  return alter?.isLocal === true ? [addressedTo(statement, name, cluster)] : [text];
}

/** The statement for another table, ON CLUSTER. */
function addressedTo({ head, text }: SchemaStatement, table: string, cluster: string): string {
  return `${head.replace(/\w+$/, () => table)} ON CLUSTER ${cluster}${text.slice(head.length)}`;
}

// {replica} is unique only within its shard, so a set of replicas across all shards needs the shard in the name.
const perShard = "'/clickhouse/tables/{shard}/{database}/{table}', '{replica}'";
const everywhere = "'/clickhouse/tables/all/{database}/{table}', '{shard}-{replica}'";

/** `ReplacingMergeTree(first_received)` → `ReplicatedReplacingMergeTree('…', '…', first_received)`. */
function replicated(statement: string, replica: string): string {
  return statement.replace(mergeTreeEngine, (_all, name: string, args?: string) => {
    const parameters = args === undefined ? replica : `${replica}, ${args}`;
    return `ENGINE = Replicated${name}(${parameters})`;
  });
}
