import type { Registry } from 'prom-client';
import { connectPostgres, type Database } from './connect-postgres.ts';
import { postgresMetrics } from './postgres-metrics.ts';

interface PoolSettings {
  readonly databaseUrl: string;
  readonly databaseTimeoutMs: number;
}

export interface PostgresPools<Purpose extends string> {
  readonly pools: Readonly<Record<Purpose, Database>>;
  readonly destroy: () => Promise<void>;
}

/** A pool: its maximum, and whether its statements see the rows of all organisations. */
interface PoolOptions {
  readonly max: number;
  readonly seesAllOrganisations: boolean;
}

/**
 * Connections by purpose, each with its own maximum. Requests that wait, for a lock or for a slow
 * statement, take only connections of their own purpose: authentication and readiness go on.
 *
 * A purpose that serves one organisation at a time sees no rows outside of inOrganisation. The others,
 * such as authentication and publishing, see all. That is a setting of the session and not a second
 * role, because it is as strong: a statement that can choose another organisation could change its role.
 */
export function connectPostgresPools<Purpose extends string>(
  { databaseUrl, databaseTimeoutMs }: PoolSettings,
  service: string,
  options: Readonly<Record<Purpose, PoolOptions>>,
  registry: Registry,
): PostgresPools<Purpose> {
  const pools = Object.fromEntries(
    Object.entries<PoolOptions>(options).map(([purpose, { max, seesAllOrganisations }]) => [
      purpose,
      connectPostgres(databaseUrl, max, `${service}-${purpose}`, {
        socketTimeoutMs: databaseTimeoutMs,
        ...(seesAllOrganisations ? { onConnect: seeAllOrganisations } : {}),
      }),
    ]),
  ) as Record<Purpose, Database>;
  postgresMetrics(registry, pools);
  return {
    pools,
    destroy: async () => {
      await Promise.all(Object.values<Database>(pools).map((pool) => pool.destroy()));
    },
  };
}

/** For the policies of services/schema/postgres/migrations/016-row-security.ts. */
const seeAllOrganisations = "set netpanel.organisation = 'all'";
