import { userInfo } from 'node:os';
import { findOrganisation } from '../registry/organisations/organisations.ts';
import { connectClickHouse } from '../shared/clickhouse/connect-clickhouse.ts';
import { connectPostgres } from '../shared/postgres/connect-postgres.ts';
import type { Stores } from '../shared/stores.ts';
import { readCliConfig } from './config.ts';

/** Both databases while `work` runs. ClickHouse is connected with its first query. */
export async function withStores<T>(
  work: (stores: Stores) => Promise<T>,
  { connections = 2, onConnect }: PostgresOptions = {},
): Promise<T> {
  const config = readCliConfig();
  const options = onConnect === undefined ? {} : { onConnect };
  const database = connectPostgres(config.databaseUrl, connections, operatorName(), options);
  const clickhouse = connectClickHouse(config, 'netpanel-cli');
  try {
    return await work({ database, clickhouse, cluster: config.clickhouseCluster });
  } finally {
    await clickhouse.close();
    await database.destroy();
  }
}

interface PostgresOptions {
  readonly connections?: number;
  /** A statement that every new connection runs first. */
  readonly onConnect?: string;
}

/** The same for an organisation. */
export function withOrganisation<T>(
  name: string,
  work: (stores: OrganisationStores) => Promise<T>,
  options?: PostgresOptions,
): Promise<T> {
  return withStores(
    async (stores) =>
      work({ ...stores, organisationId: await findOrganisation(stores.database, name) }),
    options,
  );
}

interface OrganisationStores extends Stores {
  readonly organisationId: number;
}

/** The name of the connection in Postgres, which the audit records as the actor: `netpanel-cli (alice)`. */
export function operatorName(): string {
  return `netpanel-cli (${userName()})`;
}

// A container may run as a user id that has no name.
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? ''}`;
  }
}
