import { Gauge, type Registry } from 'prom-client';
import type { Database } from './connect-postgres.ts';

/** The state of knex's connection pool (tarn). */
interface Pool {
  readonly max: number;
  numUsed(): number;
  numFree(): number;
  numPendingAcquires(): number;
}

/** How the connections to Postgres are taken. */
export function postgresMetrics(registry: Registry, database: Database): void {
  const pool = (database.client as { pool: Pool }).pool;
  const registers = [registry];
  new Gauge({
    name: 'netpanel_postgres_connections',
    help: 'Connections to Postgres that work (used), that are idle (free), and who waits for one.',
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
    help: 'Connections to Postgres there may be.',
    registers,
  }).set(pool.max);
}
