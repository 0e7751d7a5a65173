import { onCluster } from '../../shared/clickhouse/on-cluster.ts';
import type { GeneratedObject } from './generated/generated-object.ts';
import { isSharded, shardTable } from './sharded-tables.ts';

/**
 * Statements that create or replace a generated object. A materialized view does not miss concurrent inserts: MODIFY
 * QUERY is atomic. (So is CREATE OR REPLACE MATERIALIZED VIEW, but ClickHouse 25.8 does not have it.)
 */
export function generatedDdl(object: GeneratedObject, cluster: string): readonly string[] {
  const { kind, name, sql } = object;
  const where = onCluster(cluster);
  // A view reads dictionaries, which have no row policies: the analyst may read the view, but no dictionary. The row policy
  // of the analyst applies to the view. A materialized view reads results, and the loader may not.
  const security = "DEFINER = '${user}' SQL SECURITY DEFINER";
  if (kind === 'view') return [`CREATE OR REPLACE VIEW ${name} ${where}${security} AS\n${sql}`];
  const isShard = (table: string) => cluster !== '' && isSharded(table);
  // It runs on the node that stores the row, so it uses the local tables of that node.
  const target = isShard(object.target) ? shardTable(object.target) : object.target;
  const query = sql.replace(/\bFROM (\w+)/g, (from, table: string) =>
    isShard(table) ? `FROM ${shardTable(table)}` : from,
  );
  return [
    `CREATE MATERIALIZED VIEW IF NOT EXISTS ${name} ${where}TO ${target}\n${security} AS\n${query}`,
    `ALTER TABLE ${name} ${where}MODIFY QUERY\n${query}`,
    `ALTER TABLE ${name} ${where}MODIFY ${security}`,
  ];
}

export function dropGeneratedDdl(name: string, cluster: string): string {
  return `DROP VIEW IF EXISTS ${name} ${onCluster(cluster)}`.trim();
}
