import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { PublishLane } from './publish-lanes.ts';
import type { PublishedSnapshot } from './publish-tools.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { snapshotState } from '../../registry/snapshot-state.ts';

/** Prometheus metrics of snapshots. */
export class SnapshotMetrics {
  readonly #durations: Gauge;
  readonly #changeToVisible: Histogram;
  readonly #version: Gauge;
  readonly #rows: Gauge;
  readonly #failures: Counter;
  readonly #failing: Gauge;
  readonly #failingByLane = new Map<PublishLane['name'], number>();

  constructor(registry: Registry, database: Database) {
    const registers = [registry];
    this.#durations = new Gauge({
      name: 'netpanel_snapshot_publish_duration_seconds',
      help: 'Duration of the last publication.',
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
      help: 'Number of the last publication by this process.',
      registers,
    });
    this.#rows = new Gauge({
      name: 'netpanel_snapshot_rows',
      help: 'Rows in the last publication by this process.',
      registers,
    });
    this.#failures = new Counter({
      name: 'netpanel_snapshot_failures_total',
      help: 'Failed attempts to publish metadata.',
      registers,
    });
    this.#failing = new Gauge({
      name: 'netpanel_snapshot_failing_organisations',
      help: 'Organisations whose metadata this process could not publish at the last attempt.',
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

  published({ number, content, changeToVisibleS }: PublishedSnapshot, durationS: number): void {
    this.#durations.set(durationS);
    this.#version.set(number);
    this.#rows.set(content.rowCount);
    for (const seconds of changeToVisibleS) this.#changeToVisible.observe(seconds);
  }

  failing(lane: PublishLane['name'], organisations: number): void {
    this.#failingByLane.set(lane, organisations);
    this.#failing.set([...this.#failingByLane.values()].reduce((sum, count) => sum + count, 0));
  }

  failed(): void {
    this.#failures.inc();
  }
}
