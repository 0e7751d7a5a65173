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
import { agentSetsState } from './agent-sets-check.ts';
import { objectStoreState } from './object-store-check.ts';
import { rowSecurityState } from './row-security-check.ts';

export interface Check {
  readonly name: string;
  /** Resolves with the details for the line "ok". Throws when the check fails. */
  readonly run: () => Promise<string>;
  /** How to fix a failure. */
  readonly remedy: string;
}

const oldestPostgres = 14;
/** Changes are normally published within seconds. */
const staleAfterS = 60;
const clockToleranceMs = 5_000;

/** The checks in order of dependency. */
export function doctorChecks(
  database: Database,
  clickhouse: ClickHouseClient,
  settings: ClickHouseSettings,
): readonly Check[] {
  return [
    {
      name: 'Postgres',
      run: () => postgresVersion(database),
      remedy: `check DATABASE_URL and that Postgres ${oldestPostgres} or later runs there`,
    },
    {
      name: 'Postgres schema',
      run: async () => upToDate(await pendingPostgresMigrations(database)),
      remedy: 'run netpanel migrate',
    },
    {
      name: 'Postgres row security',
      run: () => rowSecurityState(database),
      remedy:
        'let the services connect as users with the roles of deploy/postgres/roles.sql: docs/operations.md, Roles in Postgres',
    },
    {
      name: 'ClickHouse',
      run: () => clickHouseVersion(settings),
      remedy: `check CLICKHOUSE_URL, its user and password, and that ClickHouse ${oldestVersion} or later runs there`,
    },
    {
      name: 'ClickHouse schema',
      run: async () => upToDate(await pendingClickHouseMigrations(clickhouse)),
      remedy: 'run netpanel migrate',
    },
    {
      name: 'ClickHouse data',
      run: () => dataState(clickhouse),
      remedy:
        'their rows are missing from every response: see system.detached_parts, restore them from a backup or a replica, or load them again',
    },
    {
      name: 'Metadata dictionary',
      run: () => dictionaryState(clickhouse, 'agent_metadata'),
      remedy:
        'see its last_exception in system.dictionaries; the dictionary logs in as CLICKHOUSE_USER',
    },
    {
      name: 'Dictionary of metadata changes',
      run: () => dictionaryState(clickhouse, 'agent_metadata_changes'),
      remedy:
        'see its last_exception in system.dictionaries; the dictionary logs in as CLICKHOUSE_USER',
    },
    {
      name: 'Dictionary of custom values',
      run: () => dictionaryState(clickhouse, 'custom_value'),
      remedy:
        'see its last_exception in system.dictionaries; the dictionary logs in as CLICKHOUSE_USER',
    },
    {
      name: 'Time zone dictionary',
      run: () => dictionaryState(clickhouse, 'timezone_offset'),
      remedy: 'run netpanel migrate, which publishes the offsets',
    },
    {
      name: 'Dictionary of local time',
      run: () => dictionaryState(clickhouse, 'timezone_span'),
      remedy: 'run netpanel migrate, which publishes the offsets',
    },
    {
      name: 'Metadata snapshot',
      run: () => publishedSnapshot(database),
      remedy: 'check that the metadata service runs, and read its log',
    },
    {
      name: 'Agent sets',
      run: () => agentSetsState(database, clickhouse),
      remedy: 'run netpanel sets copy --org ORG',
    },
    {
      name: 'Object store',
      run: objectStoreState,
      remedy: 'check EXPORT_STORE and the settings of the folder (EXPORT_FOLDER) or of S3 (S3_…)',
    },
    {
      name: 'Clocks',
      run: () => clockDifference(database, clickhouse),
      remedy: 'synchronise the clocks of the machines with NTP',
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
  if (damaged.length > 0) throw new Error(`${describeDamage(damaged)} detached`);
  return 'no damaged parts';
}

async function dictionaryState(clickhouse: ClickHouseClient, name: string): Promise<string> {
  // ClickHouse loads a dictionary on first use, which this query is.
  await queryRows(clickhouse, `SELECT count() FROM dictionary('${name}')`);
  const [row] = await queryRows<{ status: string; elements: string; last_exception: string }>(
    clickhouse,
    `SELECT status, toString(element_count) AS elements, last_exception
FROM system.dictionaries WHERE database = currentDatabase() AND name = '${name}'`,
  );
  if (row === undefined) throw new Error('it does not exist');
  // After a failed reload the status is still LOADED, and ClickHouse serves old values.
  if (row.last_exception !== '') throw new Error(row.last_exception.split('\n', 1)[0]);
  return `${row.elements} entries`;
}

async function publishedSnapshot(database: Database): Promise<string> {
  const { waitingChanges, lagS } = await snapshotState(database);
  if (lagS > staleAfterS) {
    throw new Error(`${waitingChanges} changes not published, oldest ${Math.round(lagS)} s ago`);
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
      off
        .map(([name, ms]) => `${name} differs by ${Math.round(ms / 1000)} s from this machine`)
        .join(', '),
    );
  }
  return `within ${clockToleranceMs / 1000} s of each other`;
}

/** The clock difference beyond the round-trip time, so that a slow response does not fail the check. */
async function differenceMs(serverTimeMs: () => Promise<number>): Promise<number> {
  const sentMs = Date.now();
  const serverMs = await serverTimeMs();
  const receivedMs = Date.now();
  const difference = serverMs - (sentMs + receivedMs) / 2;
  const tolerance = (receivedMs - sentMs) / 2;
  return Math.sign(difference) * Math.max(0, Math.abs(difference) - tolerance);
}
