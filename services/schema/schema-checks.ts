import type { ClickHouseClient } from '@clickhouse/client';
import type { ClickHouseSettings } from '../shared/clickhouse/connect-clickhouse.ts';
import { damagedParts, describeDamage } from '../shared/clickhouse/damaged-parts.ts';
import { queryRows } from '../shared/clickhouse/query-rows.ts';
import { serverVersion } from '../shared/clickhouse/server-version.ts';
import { checkVersion, oldestVersion } from '../shared/clickhouse/supported-versions.ts';
import type { Database } from '../shared/postgres/connect-postgres.ts';
import type { Stores } from '../shared/stores.ts';
import { pendingClickHouseMigrations } from './clickhouse/migrate-clickhouse.ts';
import { pendingPostgresMigrations } from './postgres/migrate-postgres.ts';

export interface Check {
  readonly name: string;
  /** Resolves with the details for the line "ok". Throws when the check fails. */
  readonly run: () => Promise<string>;
  /** How to fix a failure. */
  readonly remedy: string;
}

const oldestPostgres = 14;

/** Checks both databases and their schemas, in order of dependency. */
export function schemaChecks(
  { database, clickhouse }: Stores,
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
