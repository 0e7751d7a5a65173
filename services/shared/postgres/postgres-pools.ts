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

/**
 * Connections by purpose, each with its own maximum. Requests that wait, for a lock or for a slow
 * statement, take only connections of their own purpose: authentication and readiness go on.
 */
export function connectPostgresPools<Purpose extends string>(
  { databaseUrl, databaseTimeoutMs }: PoolSettings,
  service: string,
  maxConnections: Readonly<Record<Purpose, number>>,
  registry: Registry,
): PostgresPools<Purpose> {
  const pools = Object.fromEntries(
    Object.entries<number>(maxConnections).map(([purpose, max]) => [
      purpose,
      connectPostgres(databaseUrl, max, `${service}-${purpose}`, databaseTimeoutMs),
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
