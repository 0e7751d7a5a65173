import { onCluster } from '../../shared/clickhouse/on-cluster.ts';
import { clusterDdl } from './cluster-ddl.ts';
import type { GeneratedObject, GeneratedTable, TableColumn } from './generated/generated-object.ts';
import { parseStatement } from './parse-statement.ts';
import { isSharded, shardTable } from './sharded-tables.ts';

/**
 * Statements that create a generated table, or create or replace a generated view. A materialized view misses no
 * concurrent insert, because MODIFY QUERY is atomic. (CREATE OR REPLACE MATERIALIZED VIEW needs more than ClickHouse 25.8.)
 */
export function generatedDdl(object: GeneratedObject, cluster: string): readonly string[] {
  if (object.kind === 'table') return clusterDdl(parseStatement(createTable(object)), cluster);
  const { kind, name, sql } = object;
  const where = onCluster(cluster);
  // A view reads dictionaries, which have no row policies: the query service and analysts may read the view, but no
  // dictionary. Their row policies apply to the view. A materialized view reads results, and the loader may not.
  const security = "DEFINER = '${user}' SQL SECURITY DEFINER";
  const view = (viewName: string, query: string) =>
    `CREATE OR REPLACE VIEW ${viewName} ${where}${security} AS\n${query}`;
  if (kind === 'view' && (cluster === '' || object.isOnShards !== true)) return [view(name, sql)];
  const isShard = (table: string) => cluster !== '' && isSharded(table);
  // It runs on the node that stores the row, so it uses the local tables of that node.
  const query = sql.replace(/\bFROM (\w+)/g, (from, table: string) =>
    isShard(table) ? `FROM ${shardTable(table)}` : from,
  );
  if (kind === 'view') {
    const shard = shardTable(name);
    return [
      view(shard, query),
      `CREATE OR REPLACE TABLE ${name} ${where}AS ${shard}\n` +
        `ENGINE = Distributed('${cluster}', '\${database}', '${shard}')`,
    ];
  }
  const target = isShard(object.target) ? shardTable(object.target) : object.target;
  return [
    `CREATE MATERIALIZED VIEW IF NOT EXISTS ${name} ${where}TO ${target}\n${security} AS\n${query}`,
    `ALTER TABLE ${name} ${where}MODIFY QUERY\n${query}`,
    `ALTER TABLE ${name} ${where}MODIFY ${security}`,
  ];
}

/** Statements that bring a table up to date with its columns and indexes. */
export function alterTableDdl(
  { name, columns, indexes, comment }: GeneratedTable,
  earlierText: string,
  cluster: string,
): readonly string[] {
  const known = new Set(earlierText.split('\n'));
  const changes = columns.flatMap((column, i) => {
    if (known.has(columnLine(column))) return [];
    const before = columns[i - 1];
    const place = before === undefined ? 'FIRST' : `AFTER ${before.name}`;
    const text = `${column.name} ${column.definition}`;
    return [`ADD COLUMN IF NOT EXISTS ${text} ${place}`, `MODIFY COLUMN ${text}`];
  });
  return [
    ...changes,
    ...indexes.map((index) => `ADD INDEX IF NOT EXISTS ${index}`),
    `MODIFY COMMENT '${comment}'`,
  ].flatMap((change) => clusterDdl(parseStatement(`ALTER TABLE ${name} ${change}`), cluster));
}

function createTable(table: GeneratedTable): string {
  const { name, columns, indexes, engine, partitionBy, orderBy, comment } = table;
  return `CREATE TABLE IF NOT EXISTS ${name}
(
${columns.map(columnLine).join('\n')}
${indexes.map((index) => `    INDEX ${index}`).join(',\n')}
)
ENGINE = ${engine}
PARTITION BY ${partitionBy}
ORDER BY (${orderBy})
COMMENT '${comment}'`;
}

function columnLine({ name, definition }: TableColumn): string {
  return `    ${name} ${definition},`;
}

/** On a cluster a view on shards is a Distributed table, whose views stay: a table of another catalogue may read them. */
export function dropGeneratedDdl(name: string, cluster: string): string {
  return `DROP TABLE IF EXISTS ${name} ${onCluster(cluster)}`.trim();
}
