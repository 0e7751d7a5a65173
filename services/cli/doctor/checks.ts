import type { ClickHouseClient } from '@clickhouse/client';
import { snapshotState } from '../../registry/snapshot-state.ts';
import type { ClickHouseSettings } from '../../shared/clickhouse/connect-clickhouse.ts';
import { damagedParts, describeDamage } from '../../shared/clickhouse/damaged-parts.ts';
import { pendingClickHouseMigrations } from '../../schema/clickhouse/migrate-clickhouse.ts';
import { queryRows } from '../../shared/clickhouse/query-rows.ts';
import { serverVersion } from '../../shared/clickhouse/server-version.ts';
import { checkVersion, oldestVersion } from '../../shared/clickhouse/supported-versions.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { pendingPostgresMigrations } from '../../schema/postgres/migrate-postgres.ts';
import { objectStoreState } from './object-store-check.ts';

export interface Check {
  readonly name: string;
  /** What was found, for the line "ok". Throws when it is not as it should be. */
  readonly find: () => Promise<string>;
  /** What to do about it. */
  readonly remedy: string;
}

const oldestPostgres = 14;
/** A change is visible within seconds; a minute late is a fault. */
const staleAfterS = 60;
const clockToleranceMs = 5_000;

/** What a deployment needs, in the order in which one thing depends on another. */
export function doctorChecks(
  database: Database,
  clickhouse: ClickHouseClient,
  settings: ClickHouseSettings,
): readonly Check[] {
  return [
    {
      name: 'Postgres',
      find: () => postgresVersion(database),
      remedy: `check DATABASE_URL and that Postgres ${oldestPostgres} or later runs there`,
    },
    {
      name: 'Postgres schema',
      find: async () => upToDate(await pendingPostgresMigrations(database)),
      remedy: 'run netpanel migrate',
    },
    {
      name: 'ClickHouse',
      find: () => clickHouseVersion(settings),
      remedy: `check CLICKHOUSE_URL, its user and password, and that ClickHouse ${oldestVersion} or later runs there`,
    },
    {
      name: 'ClickHouse schema',
      find: async () => upToDate(await pendingClickHouseMigrations(clickhouse)),
      remedy: 'run netpanel migrate',
    },
    {
      name: 'ClickHouse data',
      find: () => dataState(clickhouse),
      remedy:
        'their rows are missing from every answer: see system.detached_parts, restore them from a backup or a replica, or load them again',
    },
    {
      name: 'Metadata dictionary',
      find: () => dictionaryState(clickhouse, 'agent_metadata'),
      remedy:
        'see its last_exception in system.dictionaries; the dictionary logs in as CLICKHOUSE_USER',
    },
    {
      name: 'Time zone dictionary',
      find: () => dictionaryState(clickhouse, 'timezone_offset'),
      remedy: 'run netpanel migrate, which publishes the offsets',
    },
    {
      name: 'Metadata snapshot',
      find: () => publishedSnapshot(database),
      remedy: 'check that the metadata service runs and what its log says',
    },
    {
      name: 'Object store',
      find: objectStoreState,
      remedy: 'check EXPORT_STORE and the settings of the folder (EXPORT_FOLDER) or of S3 (S3_…)',
    },
    {
      name: 'Clocks',
      find: () => clockDifference(database, clickhouse),
      remedy: 'set the clocks of the machines by NTP',
    },
  ];
}

async function postgresVersion(database: Database): Promise<string> {
  const { rows } = await database.raw<{ rows: [{ version: string }] }>('show server_version');
  const version = Object.values(rows[0])[0] ?? '';
  if (Number.parseInt(version, 10) < oldestPostgres) {
    throw new Error(`version ${version} is older than ${oldestPostgres}`);
  }
  return `version ${version}`;
}

async function clickHouseVersion(settings: ClickHouseSettings): Promise<string> {
  const version = await serverVersion(settings);
  return checkVersion(version) ?? `version ${version}`;
}

function upToDate(pending: readonly string[]): string {
  if (pending.length > 0) throw new Error(`not applied: ${pending.join(', ')}`);
  return 'up to date';
}

async function dataState(clickhouse: ClickHouseClient): Promise<string> {
  const damaged = await damagedParts(clickhouse);
  if (damaged.length > 0) throw new Error(`${describeDamage(damaged)} set aside`);
  return 'no damaged parts';
}

async function dictionaryState(clickhouse: ClickHouseClient, name: string): Promise<string> {
  // A dictionary that was never used is not loaded; reading its size loads it.
  await queryRows(clickhouse, `SELECT count() FROM dictionary('${name}')`);
  const [row] = await queryRows<{ status: string; elements: string; last_exception: string }>(
    clickhouse,
    `SELECT status, toString(element_count) AS elements, last_exception
FROM system.dictionaries WHERE database = currentDatabase() AND name = '${name}'`,
  );
  if (row === undefined) throw new Error('it is not there');
  // After a failed reload the status still says LOADED, and old values are served.
  if (row.last_exception !== '') throw new Error(row.last_exception.split('\n', 1)[0]);
  return `${row.elements} entries`;
}

async function publishedSnapshot(database: Database): Promise<string> {
  const { waitingChanges, lagS } = await snapshotState(database);
  if (lagS > staleAfterS) {
    throw new Error(`${waitingChanges} changes wait, the oldest for ${Math.round(lagS)} s`);
  }
  return waitingChanges === 0
    ? 'every change is published'
    : `${waitingChanges} changes not published yet`;
}

async function clockDifference(database: Database, clickhouse: ClickHouseClient): Promise<string> {
  const differences = {
    Postgres: await differenceMs(async () => {
      const sql = 'select extract(epoch from clock_timestamp()) * 1000 as ms';
      const { rows } = await database.raw<{ rows: [{ ms: string }] }>(sql);
      return Number(rows[0].ms);
    }),
    ClickHouse: await differenceMs(async () => {
      const sql = 'SELECT toString(toUnixTimestamp64Milli(now64(3))) AS ms';
      const [row] = await queryRows<{ ms: string }>(clickhouse, sql);
      return Number(row?.ms);
    }),
  };
  const off = Object.entries(differences).filter(([, ms]) => Math.abs(ms) > clockToleranceMs);
  if (off.length > 0) {
    throw new Error(
      off.map(([name, ms]) => `${name} is ${Math.round(ms / 1000)} s off this one`).join(', '),
    );
  }
  return `within ${clockToleranceMs / 1000} s of each other`;
}

/** Against the middle of the question's way there and back; a slow answer proves nothing. */
async function differenceMs(theirTimeMs: () => Promise<number>): Promise<number> {
  const askedMs = Date.now();
  const theirsMs = await theirTimeMs();
  const answeredMs = Date.now();
  const fromMiddle = theirsMs - (askedMs + answeredMs) / 2;
  const slack = (answeredMs - askedMs) / 2;
  return Math.sign(fromMiddle) * Math.max(0, Math.abs(fromMiddle) - slack);
}
