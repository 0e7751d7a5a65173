import { Counter, Gauge, type Registry } from 'prom-client';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import type { RetentionRule } from './retention-rule.ts';
import { retentionAgeS } from './retention-state.ts';

/** Prometheus metrics of retention. */
export class RetentionMetrics {
  readonly #removed: Counter<'rule'>;
  readonly #skipped: Counter;

  constructor(registry: Registry, database: Database, rules: readonly RetentionRule[]) {
    const registers = [registry];
    this.#removed = new Counter({
      name: 'netpanel_retention_removed_rows_total',
      help: 'Rows removed because they are older than their retention period, by rule.',
      labelNames: ['rule'],
      registers,
    });
    this.#skipped = new Counter({
      name: 'netpanel_retention_skipped_total',
      help: 'Runs of retention that were due and skipped because another process held its lock.',
      registers,
    });
    const names = rules.map(({ name }) => name);
    new Gauge({
      name: 'netpanel_retention_age_seconds',
      help: 'Time since all retention rules were complete; NaN if Postgres is unavailable.',
      registers,
      async collect() {
        this.set(await retentionAgeS(database, names).catch(() => NaN));
      },
    });
  }

  removed(rule: string, rows: number): void {
    this.#removed.inc({ rule }, rows);
  }

  skipped(): void {
    this.#skipped.inc();
  }
}
