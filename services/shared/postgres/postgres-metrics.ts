import { Gauge, type Registry } from 'prom-client';
import type { Database } from './connect-postgres.ts';

/** The state of knex's connection pool (tarn). */
interface Pool {
  readonly max: number;
  numUsed(): number;
  numFree(): number;
  numPendingAcquires(): number;
}

/** Metrics of the Postgres connection pools, by purpose. */
export function postgresMetrics(
  registry: Registry,
  databases: Readonly<Record<string, Database>>,
): void {
  const pools = Object.entries(databases).map(
    ([pool, database]) => [pool, (database.client as { pool: Pool }).pool] as const,
  );
  const registers = [registry];
  new Gauge({
    name: 'netpanel_postgres_connections',
    help: 'Postgres connections in use (used) and idle (free), and requests that wait for one (waiting), by pool.',
    labelNames: ['pool', 'state'],
    registers,
    collect() {
      for (const [pool, state] of pools) {
        this.set({ pool, state: 'used' }, state.numUsed());
        this.set({ pool, state: 'free' }, state.numFree());
        this.set({ pool, state: 'waiting' }, state.numPendingAcquires());
      }
    },
  });
  const max = new Gauge({
    name: 'netpanel_postgres_connections_max',
    help: 'Maximum number of Postgres connections, by pool.',
    labelNames: ['pool'],
    registers,
  });
  for (const [pool, state] of pools) max.set({ pool }, state.max);
}
