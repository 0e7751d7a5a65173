import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ClickHouseClient } from '@clickhouse/client';
import { snapshotState } from '../../registry/versions/snapshot-state.ts';
import type { ClickHouseSettings } from '../../shared/clickhouse/connect-clickhouse.ts';
import { damagedParts, describeDamage } from '../../shared/clickhouse/damaged-parts.ts';
import { pendingClickHouseMigrations } from '../../schema/clickhouse/migrate-clickhouse.ts';
import { queryRows } from '../../shared/clickhouse/query-rows.ts';
import { serverVersion } from '../../shared/clickhouse/server-version.ts';
import { checkVersion, oldestVersion } from '../../shared/clickhouse/supported-versions.ts';
import { exportSettings } from '../../query/settings/export-settings.ts';
import { openObjectStore } from '../../shared/object-store/open-object-store.ts';
import { cliSettings } from '../config.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { postgresNow, readClock } from '../../shared/postgres/postgres-clock.ts';
import { pendingPostgresMigrations } from '../../schema/postgres/migrate-postgres.ts';

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
  const dictionary = (name: string, dictionaryName: string, remedy = dictionaryRemedy) => ({
    name,
    run: () => dictionaryState(clickhouse, dictionaryName),
    remedy,
  });
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
        'connect the services as users with the roles of deploy/postgres/roles.sql: docs/install.md, Roles in Postgres',
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
    dictionary('Metadata dictionary', 'agent_metadata'),
    dictionary('Dictionary of metadata changes', 'agent_metadata_changes'),
    dictionary('Dictionary of custom values', 'custom_value'),
    dictionary(
      'Time zone dictionary',
      'timezone_span',
      'run netpanel migrate, which publishes the offsets',
    ),
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

const dictionaryRemedy =
  'see its last_exception in system.dictionaries; the dictionary logs in as CLICKHOUSE_USER';

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
  const clocks = {
    Postgres: await readClock(async () => (await postgresNow(database)).getTime()),
    ClickHouse: await readClock(async () => {
      const sql = 'SELECT toString(toUnixTimestamp64Milli(now64(3))) AS ms';
      const [row] = await queryRows<{ ms: string }>(clickhouse, sql);
      return Number(row?.ms);
    }),
  };
  const off = Object.entries(clocks).filter(
    ([, { skewMs }]) => Math.abs(skewMs) > clockToleranceMs,
  );
  if (off.length > 0) {
    throw new Error(
      off
        .map(
          ([name, { skewMs }]) =>
            `${name} differs by ${Math.round(-skewMs / 1000)} s from this machine`,
        )
        .join(', '),
    );
  }
  return `within ${clockToleranceMs / 1000} s of each other`;
}

/** Throws if a running service connects as a user that row-level security does not apply to. */
async function rowSecurityState(database: Database): Promise<string> {
  const { rows } = await database.raw<{ rows: ServiceUser[] }>(
    `select distinct a.usename as "user", substring(a.application_name from '${servicePattern}') as service,
       r.rolsuper or r.rolbypassrls or pg_has_role(r.oid, t.relowner, 'usage') as "isExempt"
     from pg_stat_activity a
       join pg_roles r on r.oid = a.usesysid
       join pg_class t on t.oid = 'agents'::regclass
     where a.datname = current_database() and a.application_name ~ '${servicePattern}'
     order by 2, 1`,
  );
  const exempt = rows.filter(({ isExempt }) => isExempt);
  if (exempt.length > 0) {
    throw new Error(`${listed(exempt)}: an owner or superuser sees the rows of all organisations`);
  }
  return rows.length === 0 ? 'no service is connected' : listed(rows);
}

interface ServiceUser {
  readonly user: string;
  readonly service: string;
  readonly isExempt: boolean;
}

/** The name of a pool is the end of application_name: netpanel-query-requests. */
const servicePattern = '^netpanel-(query|metadata)-';

function listed(users: readonly ServiceUser[]): string {
  return users.map(({ user, service }) => `the ${service} service connects as ${user}`).join(', ');
}

/** Compares the sets of agents in Postgres with their copies in ClickHouse. Throws with those that differ. */
async function agentSetsState(database: Database, clickhouse: ClickHouseClient): Promise<string> {
  const stored = await database('agent_sets as s')
    .join('organisations as o', 'o.id', 's.organisation_id')
    .leftJoin('agent_set_members as m', 'm.set_id', 's.id')
    .groupBy('s.id', 'o.name')
    .select<SetHash[]>(
      's.organisation_id as organisationId',
      'o.name as organisation',
      's.name',
      // Their number and their sum: two sets of the same size rarely have the same sum.
      database.raw(`count(m.agent_key) || ' ' || coalesce(sum(m.agent_key), 0) as hash`),
    );
  const copied = await queryRows<Omit<SetHash, 'organisation'>>(
    clickhouse,
    `SELECT organisation_id AS organisationId, name,
  concat(toString(count()), ' ', toString(sum(agent_key))) AS hash
FROM agent_set_agents GROUP BY organisation_id, name`,
  );
  const hashes = new Map(copied.map((set) => [keyOf(set), set.hash]));
  // A set without agents has no rows there.
  const differing = stored.filter((set) => (hashes.get(keyOf(set)) ?? '0 0') !== set.hash);
  const known = new Set(stored.map(keyOf));
  const removed = copied.filter((set) => !known.has(keyOf(set)));
  if (differing.length + removed.length > 0) {
    const names = [
      ...differing.map(({ organisation, name }) => `${name} of ${organisation}`),
      ...removed.map(({ organisationId, name }) => `${name} of organisation ${organisationId}`),
    ];
    throw new Error(`different from Postgres: ${names.slice(0, 5).join(', ')}`);
  }
  return `${stored.length} sets, the same in both databases`;
}

interface SetHash {
  readonly organisationId: number;
  readonly organisation: string;
  readonly name: string;
  readonly hash: string;
}

function keyOf({ organisationId, name }: Pick<SetHash, 'organisationId' | 'name'>): string {
  return `${organisationId} ${name}`;
}

/** Writes a small file to the object store, reads its size, and deletes it. */
async function objectStoreState(): Promise<string> {
  const settings = cliSettings(exportSettings);
  const store = await openObjectStore(settings, () => 'no link is requested');
  const key = `${store.keyPrefix}netpanel-doctor-${randomUUID()}`;
  const content = Buffer.from('written by netpanel doctor\n');
  try {
    await store.write(
      { key, contentType: 'text/plain', fileName: 'doctor.txt' },
      Readable.from([content]),
      AbortSignal.timeout(10_000),
    );
    const size = await store.sizeOf(key);
    if (size !== content.length)
      throw new Error(`the file has ${size} bytes after writing ${content.length}`);
  } finally {
    await store.discard(key);
  }
  return `${store.name} is writable`;
}
