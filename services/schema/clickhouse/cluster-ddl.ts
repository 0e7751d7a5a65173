import { mergeTreeEngine, type SchemaStatement } from './parse-statement.ts';
import { isSharded, shardTable } from './sharded-tables.ts';

/**
 * The statements that a migration's statement becomes on a cluster, in their order; without a cluster, the
 * statement itself.
 *
 * - Results (test_*, last_rows_*) are on the shard of their agent, in `test_dns_shard`. `test_dns` is a Distributed
 *   table over the shards, so queries and inserts name the same table as on a single server. A new column
 *   exists on the shards before the Distributed table asks for it, and a dropped one the other way round.
 * - Every other table is small and needed on every node, by the dictionaries above all: one set of replicas
 *   across all shards.
 */
export function clusterDdl(statement: SchemaStatement, cluster: string): readonly string[] {
  if (cluster === '' || statement.kind === 'insert') return [statement.text];
  const { kind, object, name } = statement;
  const onCluster = (table = name) => addressedTo(statement, table, cluster);

  if (kind === 'drop') {
    // SYNC, so that the path in Keeper is free when the table is created again.
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
      // The results of one agent stay together: what is unique within an agent is unique within a shard.
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
  // ON CLUSTER runs an ALTER once per shard, and all shards hold replicas of this one table: they would alter it
  // at the same time, which ClickHouse refuses (code 517). Run on one node, the table itself passes it on.
  return alter?.isLocal === true ? [addressedTo(statement, name, cluster)] : [text];
}

/** The statement for another table, ON CLUSTER. */
function addressedTo({ head, text }: SchemaStatement, table: string, cluster: string): string {
  return `${head.replace(/\w+$/, () => table)} ON CLUSTER ${cluster}${text.slice(head.length)}`;
}

// {replica} is unique within its shard only, so the shard is a part of the name where the replicas of all shards
// are in one set.
const perShard = "'/clickhouse/tables/{shard}/{database}/{table}', '{replica}'";
const everywhere = "'/clickhouse/tables/all/{database}/{table}', '{shard}-{replica}'";

/** `ReplacingMergeTree(first_received)` → `ReplicatedReplacingMergeTree('…', '…', first_received)`. */
function replicated(statement: string, replica: string): string {
  return statement.replace(mergeTreeEngine, (_all, name: string, args?: string) => {
    const parameters = args === undefined ? replica : `${replica}, ${args}`;
    return `ENGINE = Replicated${name}(${parameters})`;
  });
}
