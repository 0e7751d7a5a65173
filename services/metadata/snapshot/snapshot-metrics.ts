import { metricsOf, type Registry } from '../../shared/metrics.ts';
import type { PublishLane } from './publish-lanes.ts';
import type { PublishedSnapshot } from './publish-tools.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { snapshotState } from '../../registry/versions/snapshot-state.ts';

export type SnapshotMetrics = ReturnType<typeof snapshotMetrics>;

/** Prometheus metrics of snapshots. */
export function snapshotMetrics(registry: Registry, database: Database) {
  const { counter, gauge, histogram, measured } = metricsOf(registry);
  const durations = gauge(
    'netpanel_snapshot_publish_duration_seconds',
    'Duration of the last publication.',
  );
  const changeToVisible = histogram(
    'netpanel_snapshot_change_to_visible_seconds',
    'Time from a metadata change until queries use it.',
    [0.1, 0.25, 0.5, 1, 1.5, 2, 3, 5, 10, 30, 60, 300, 3600],
  );
  const version = gauge(
    'netpanel_snapshot_version',
    'Number of the last publication by this process.',
  );
  const rows = gauge('netpanel_snapshot_rows', 'Rows in the last publication by this process.');
  const failures = counter(
    'netpanel_snapshot_failures_total',
    'Failed attempts to publish metadata.',
  );
  const failing = gauge(
    'netpanel_snapshot_failing_organisations',
    'Organisations whose metadata this process could not publish at the last attempt.',
  );
  measured(
    'netpanel_snapshot_lag_seconds',
    'Age of the oldest unpublished change; 0 if there is none.',
    async () => (await snapshotState(database)).lagS,
  );
  const failingByLane = new Map<PublishLane['name'], number>();
  return {
    published: ({ number, content, changeToVisibleS }: PublishedSnapshot, durationS: number) => {
      durations.set(durationS);
      version.set(number);
      rows.set(content.rowCount);
      for (const seconds of changeToVisibleS) changeToVisible.observe(seconds);
    },
    failing: (lane: PublishLane['name'], organisations: number) => {
      failingByLane.set(lane, organisations);
      failing.set([...failingByLane.values()].reduce((sum, count) => sum + count, 0));
    },
    failed: () => failures.inc(),
  };
}
