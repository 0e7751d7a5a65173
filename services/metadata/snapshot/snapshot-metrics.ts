import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { PublishedSnapshot } from './publish-snapshot.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { snapshotState } from '../../registry/snapshot-state.ts';

/** Prometheus metrics of snapshots. */
export class SnapshotMetrics {
  readonly #durations: Gauge;
  readonly #changeToVisible: Histogram;
  readonly #version: Gauge;
  readonly #rows: Gauge;
  readonly #failures: Counter;

  constructor(registry: Registry, database: Database) {
    const registers = [registry];
    this.#durations = new Gauge({
      name: 'netpanel_snapshot_publish_duration_seconds',
      help: 'Duration of publishing the last snapshot.',
      registers,
    });
    this.#changeToVisible = new Histogram({
      name: 'netpanel_snapshot_change_to_visible_seconds',
      help: 'Time from a metadata change until queries use it.',
      buckets: [0.1, 0.25, 0.5, 1, 1.5, 2, 3, 5, 10, 30, 60, 300, 3600],
      registers,
    });
    this.#version = new Gauge({
      name: 'netpanel_snapshot_version',
      help: 'Version of the last snapshot published by this process.',
      registers,
    });
    this.#rows = new Gauge({
      name: 'netpanel_snapshot_rows',
      help: 'Rows in the last snapshot published by this process.',
      registers,
    });
    this.#failures = new Counter({
      name: 'netpanel_snapshot_failures_total',
      help: 'Failed attempts to publish a snapshot.',
      registers,
    });
    new Gauge({
      name: 'netpanel_snapshot_lag_seconds',
      help: 'Age of the oldest unpublished change; 0 if there is none.',
      registers,
      async collect() {
        this.set(
          await snapshotState(database).then(
            ({ lagS }) => lagS,
            () => NaN,
          ),
        );
      },
    });
  }

  published({ version, rowCount, changeToVisibleS }: PublishedSnapshot, durationS: number): void {
    this.#durations.set(durationS);
    this.#version.set(version);
    this.#rows.set(rowCount);
    for (const seconds of changeToVisibleS) this.#changeToVisible.observe(seconds);
  }

  failed(): void {
    this.#failures.inc();
  }
}
