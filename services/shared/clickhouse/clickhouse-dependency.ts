import { ClickHouseError, type ClickHouseClient } from '@clickhouse/client';
import type { Dependency } from '../http/dependency.ts';
import type { Logger } from '../logging/create-logger.ts';
import { clickHouseCodes } from './clickhouse-codes.ts';
import type { ClickHouseSettings } from './connect-clickhouse.ts';
import { queryRows } from './query-rows.ts';
import { serverVersion } from './server-version.ts';
import { checkVersion } from './supported-versions.ts';

interface Options {
  readonly required: boolean;
  readonly logger: Logger;
}

export function clickHouseDependency(
  client: ClickHouseClient,
  settings: ClickHouseSettings,
  { required, logger }: Options,
): Dependency {
  const verifyVersion = loggedVersionCheck(logger);
  return {
    name: 'clickhouse',
    required,
    check: async () => {
      const { version, tables } = await databaseState(client, settings);
      verifyVersion(version);
      if (tables === 0) throw new Error('not migrated');
      const { clickhouseCluster = '' } = settings;
      return { version, lagSeconds: clickhouseCluster === '' ? 0 : await replicaLagS(client) };
    },
  };
}

/** Logs a version that is unsupported or newer than tested: once, not with every probe. */
function loggedVersionCheck(logger: Logger): (version: string) => void {
  const logged = new Set<string>();
  return (version) => {
    const isNew = !logged.has(version);
    logged.add(version);
    try {
      const warning = checkVersion(version);
      if (isNew && warning !== undefined) logger.warn(warning);
    } catch (error) {
      if (isNew) logger.error((error as Error).message);
      throw error;
    }
  };
}

async function databaseState(client: ClickHouseClient, settings: ClickHouseSettings) {
  try {
    // A query, because /ping succeeds even if the database does not exist.
    const [row] = await queryRows<{ version: string; tables: string }>(
      client,
      'SELECT version() AS version, count() AS tables FROM system.tables WHERE database = currentDatabase()',
    );
    return { version: row?.version ?? '', tables: Number(row?.tables ?? 0) };
  } catch (error) {
    if (!isUnknownDatabase(error)) throw error;
    return { version: await serverVersion(settings), tables: 0 };
  }
}

function isUnknownDatabase(error: unknown): boolean {
  return error instanceof ClickHouseError && Number(error.code) === clickHouseCodes.unknownDatabase;
}

/** The replication lag of the node; null without the privilege to read it. */
async function replicaLagS(client: ClickHouseClient): Promise<number | null> {
  try {
    const [row] = await queryRows<{ lag: string }>(
      client,
      'SELECT max(absolute_delay) AS lag FROM system.replicas WHERE database = currentDatabase()',
    );
    return Number(row?.lag ?? 0);
  } catch {
    // The privilege comes from deploy/clickhouse/roles/cluster.sql; older installations may lack it.
    return null;
  }
}
