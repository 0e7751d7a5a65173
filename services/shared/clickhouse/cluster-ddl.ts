/**
 * A migration's statement as a cluster needs it, ON CLUSTER; without a cluster, as it stands.
 *
 * - Results (test_*) live on the shard of their agent, in `test_dns_shard`; `test_dns` itself is a
 *   Distributed table over them, so queries and inserts name the same table as on a single server.
 * - Every other table is small and wanted everywhere, by the dictionaries above all: one set of
 *   replicas that spans all shards.
 * - Materialized views fire where a row is stored, so they read the shard's table.
 */
export function clusterDdl(statement: string, cluster: string): readonly string[] {
  if (cluster === '') return [statement];
  if (viewRights.test(statement)) {
    return [statement.replace(viewRights, (alter) => `${alter} ON CLUSTER ${cluster}`)];
  }
  const [head, kind = '', name = ''] = createHead.exec(statement) ?? [];
  if (head === undefined) throw new Error(`No way to run this on a cluster: ${statement}`);
  const onCluster = (text: string) => text.replace(head, () => `${head} ON CLUSTER ${cluster}`);

  if (kind === 'MATERIALIZED VIEW') return [onCluster(readingShards(statement))];
  if (kind !== 'TABLE') return [onCluster(statement)];
  if (!isSharded(name)) return [onCluster(replicated(statement, everywhere))];
  const shard = shardTable(name);
  return [
    onCluster(replicated(statement, perShard)).replace(head, () => head.replace(name, shard)),
    `CREATE TABLE IF NOT EXISTS ${name} ON CLUSTER ${cluster} AS ${shard}\n` +
      // The results of one agent stay together: what is unique within an agent is so within a shard.
      `ENGINE = Distributed('${cluster}', '\${database}', '${shard}', cityHash64(agent_key))`,
  ];
}

/** `ON CLUSTER name ` before what follows, or nothing. */
export function onCluster(cluster: string): string {
  return cluster === '' ? '' : `ON CLUSTER ${cluster} `;
}

const createHead = /^CREATE (TABLE|VIEW|MATERIALIZED VIEW|DICTIONARY) IF NOT EXISTS (\w+)/m;

// ALTER TABLE view MODIFY DEFINER = … SQL SECURITY …, which changes no data and no columns.
const viewRights = /^ALTER TABLE \w+(?= MODIFY (DEFINER|SQL SECURITY)\b)/m;

// {replica} need be unique within its shard only, so the shard is a part of the name where the
// replicas of all shards meet.
const perShard = "'/clickhouse/tables/{shard}/{database}/{table}', '{replica}'";
const everywhere = "'/clickhouse/tables/all/{database}/{table}', '{shard}-{replica}'";

function isSharded(table: string): boolean {
  return table.startsWith('test_');
}

const shardSuffix = '_shard';

function shardTable(table: string): string {
  return `${table}${shardSuffix}`;
}

/** Whether a table is a node's part of a sharded one, which nothing but ClickHouse itself writes to. */
export function isShardTable(table: string): boolean {
  return table.endsWith(shardSuffix);
}

/** `ReplacingMergeTree(first_received)` → `ReplicatedReplacingMergeTree('…', '…', first_received)`. */
function replicated(statement: string, replica: string): string {
  const engine = /^ENGINE = (\w*MergeTree)(?:\((.*)\))?$/m;
  if (!engine.test(statement)) throw new Error(`No MergeTree to replicate: ${statement}`);
  return statement.replace(engine, (_all, name: string, args?: string) => {
    const parameters = args === undefined ? replica : `${replica}, ${args}`;
    return `ENGINE = Replicated${name}(${parameters})`;
  });
}

function readingShards(view: string): string {
  return view.replace(/\bFROM (test_\w+)/g, (_all, table: string) => `FROM ${shardTable(table)}`);
}
