import { metricsOf, type Registry } from '../metrics.ts';
import { connectPostgres, type Database } from './connect-postgres.ts';

interface PoolSettings {
  readonly databaseUrl: string;
  readonly databaseTimeoutMs: number;
}

/** A pool: its maximum, and whether its statements see the rows of all organisations. */
export interface PoolOptions {
  readonly max: number;
  readonly seesAllOrganisations: boolean;
}

/**
 * Connections by purpose, each with its own maximum: requests that wait for a lock or a slow statement do not block
 * authentication and readiness.
 *
 * A purpose that serves one organisation at a time sees no rows outside of inOrganisation. The others, such as
 * authentication and publishing, see all rows. A session setting decides this. A second role would be no safer, because
 * a statement that can choose another organisation could also change its role.
 */
export function connectPostgresPools<Purpose extends string>(
  { databaseUrl, databaseTimeoutMs }: PoolSettings,
  service: string,
  options: Readonly<Record<Purpose, PoolOptions>>,
  registry: Registry,
) {
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

/** For the policies of services/schema/postgres/migrations/010_row_security.sql. */
const seeAllOrganisations = "set netpanel.organisation = 'all'";

/** The state of knex's connection pool (tarn). */
interface Pool {
  readonly max: number;
  numUsed(): number;
  numFree(): number;
  numPendingAcquires(): number;
}

/** Metrics of the Postgres connection pools, by purpose. */
function postgresMetrics(registry: Registry, databases: Readonly<Record<string, Database>>): void {
  const pools = Object.entries(databases).map(
    ([pool, database]) => [pool, (database.client as { pool: Pool }).pool] as const,
  );
  const { gauge, measuredBy } = metricsOf(registry);
  measuredBy(
    'netpanel_postgres_connections',
    'Postgres connections in use (used) and idle (free), and requests that wait for one (waiting), by pool.',
    ['pool', 'state'],
    () =>
      pools.flatMap(([pool, state]) => [
        [{ pool, state: 'used' }, state.numUsed()],
        [{ pool, state: 'free' }, state.numFree()],
        [{ pool, state: 'waiting' }, state.numPendingAcquires()],
      ]),
  );
  const max = gauge(
    'netpanel_postgres_connections_max',
    'Maximum number of Postgres connections, by pool.',
    'pool',
  );
  for (const [pool, state] of pools) max.set({ pool }, state.max);
}
