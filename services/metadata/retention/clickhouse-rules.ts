import { isSharded } from '../../schema/clickhouse/sharded-tables.ts';
import { onCluster } from '../../shared/clickhouse/on-cluster.ts';
import { queryRows } from '../../shared/clickhouse/query-rows.ts';
import { newDataVersion } from '../../shared/clickhouse/new-data-version.ts';
import type { Stores } from '../../shared/stores.ts';
import type { RetentionRule } from './retention-rule.ts';

interface PartitionRule extends Pick<RetentionRule, 'name' | 'days'> {
  /** The names of the tables, all PARTITION BY toYYYYMM(…). */
  readonly tables: RegExp;
}

/**
 * Drops partitions, which are months, when all of their rows are old enough. Cheap, unlike the deletion of
 * single rows, which rewrites parts. So rows are kept for up to a month longer.
 */
export function partitionRule(stores: Stores, rule: PartitionRule): RetentionRule {
  const { clickhouse, cluster } = stores;
  return {
    ...rule,
    count: async (before) => {
      const old = await oldPartitions(stores, rule, before);
      return old.reduce((sum, { row_count }) => sum + Number(row_count), 0);
    },
    remove: async function* (before) {
      for (const { table, partition, row_count } of await oldPartitions(stores, rule, before)) {
        await clickhouse.command({
          query: dropPartition(table, partition, cluster),
          clickhouse_settings: {
            // The server's limit of 50 GB is for mistakes by hand.
            max_partition_size_to_drop: '0',
          },
        });
        if (isSharded(table)) await newDataVersion(clickhouse, 'all');
        yield Number(row_count);
      }
    },
  };
}

interface Partition {
  readonly table: string;
  /** Such as 202611. */
  readonly partition: string;
  readonly row_count: string;
}

async function oldPartitions(
  { clickhouse, cluster }: Stores,
  { tables }: PartitionRule,
  before: Date,
): Promise<readonly Partition[]> {
  const partitions = await queryRows<Partition>(clickhouse, partitionsQuery(cluster));
  return partitions.filter(
    ({ table, partition }) => tables.test(table) && endOfMonth(partition) <= before,
  );
}

/** One row per table and month, over all shards of a cluster. */
export function partitionsQuery(cluster: string): string {
  const parts = cluster === '' ? 'system.parts' : `cluster('${cluster}', system.parts)`;
  return `SELECT table, partition, toString(sum(rows)) AS row_count FROM ${parts}
WHERE database = currentDatabase() AND active AND match(partition, '^[0-9]{6}$')
GROUP BY table, partition ORDER BY partition, table`;
}

/** A table that has replicas on all nodes replicates the ALTER itself. */
export function dropPartition(table: string, partition: string, cluster: string): string {
  const where = isSharded(table) ? onCluster(cluster) : '';
  return `ALTER TABLE ${table} ${where}DROP PARTITION ${Number(partition)}`;
}

/** The first moment after a month: 202612 ends at 2027-01-01 00:00 UTC. */
function endOfMonth(partition: string): Date {
  return new Date(Date.UTC(Number(partition.slice(0, 4)), Number(partition.slice(4))));
}

interface MutationRule extends Pick<RetentionRule, 'name' | 'days'> {
  readonly table: string;
  /** The column with the time of a row. */
  readonly time: string;
}

/** Deletes the rows of a small table by a mutation, which rewrites it. */
export function mutationRule({ clickhouse }: Stores, rule: MutationRule): RetentionRule {
  const { name, days, table, time } = rule;
  const isOld = (before: Date) => `${time} < fromUnixTimestamp64Milli(${before.getTime()}, 'UTC')`;
  const count = async (before: Date) => {
    const query = `SELECT toString(count()) AS row_count FROM ${table} WHERE ${isOld(before)}`;
    const [counted] = await queryRows<{ row_count: string }>(clickhouse, query);
    return Number(counted?.row_count ?? 0);
  };
  return {
    name,
    days,
    count,
    remove: async function* (before) {
      const rows = await count(before);
      if (rows > 0) {
        await clickhouse.command({
          query: `ALTER TABLE ${table} DELETE WHERE ${isOld(before)}`,
          clickhouse_settings: { mutations_sync: '2' },
        });
      }
      yield rows;
    },
  };
}
