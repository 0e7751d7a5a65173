import { Gauge, type Registry } from 'prom-client';
import type { Database } from './connect-postgres.ts';

/** The state of knex's connection pool (tarn). */
interface Pool {
  readonly max: number;
  numUsed(): number;
  numFree(): number;
  numPendingAcquires(): number;
}

/** Metrics of the Postgres connection pool. */
export function postgresMetrics(registry: Registry, database: Database): void {
  const pool = (database.client as { pool: Pool }).pool;
  const registers = [registry];
  new Gauge({
    name: 'netpanel_postgres_connections',
    help: 'Postgres connections in use (used) and idle (free), and requests that wait for one (waiting).',
    labelNames: ['state'],
    registers,
    collect() {
      this.set({ state: 'used' }, pool.numUsed());
      this.set({ state: 'free' }, pool.numFree());
      this.set({ state: 'waiting' }, pool.numPendingAcquires());
    },
  });
  new Gauge({
    name: 'netpanel_postgres_connections_max',
    help: 'Maximum number of Postgres connections.',
    registers,
  }).set(pool.max);
}
