import type { ClickHouseClient } from '@clickhouse/client';
import type { Dependency } from '../../shared/http/dependency.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { snapshotState } from '../../registry/snapshot-state.ts';
import type { ServiceTools } from '../../shared/run-service.ts';
import type { PublishTools } from './publish-snapshots.ts';
import { SnapshotMetrics } from './snapshot-metrics.ts';
import { SnapshotLedger } from './snapshot-ledger.ts';
import { SnapshotPublisher } from './snapshot-publisher.ts';
import { SnapshotTable } from './snapshot-table.ts';

export interface Snapshots {
  readonly wake: () => void;
  readonly stop: () => Promise<void>;
  /** Reports the lag. Not required: without ClickHouse, changes are still accepted. */
  readonly dependency: Dependency;
}

interface SnapshotOptions {
  /** Name of the ClickHouse cluster; empty for a single server. */
  readonly cluster?: string;
  readonly onStep?: PublishTools['onStep'];
}

export function startSnapshots(
  database: Database,
  clickhouse: ClickHouseClient,
  { logger, registry }: ServiceTools,
  { cluster = '', onStep }: SnapshotOptions = {},
): Snapshots {
  const stop = new AbortController();
  const ledger = new SnapshotLedger(database);
  const table = new SnapshotTable(clickhouse, stop.signal, cluster);
  const publisher = new SnapshotPublisher({
    tools: {
      database,
      ledger,
      table,
      onStep: onStep ?? ((step) => logger.debug('snapshot step', { step })),
    },
    metrics: new SnapshotMetrics(registry, database),
    logger,
    abort: () => stop.abort(),
  });
  publisher.start();
  return {
    wake: () => publisher.wake(),
    stop: () => publisher.stop(),
    dependency: {
      name: 'snapshot',
      required: false,
      check: async () => {
        const { version, ageS, waitingChanges, lagS } = await snapshotState(database);
        return {
          version,
          snapshotAgeSeconds: ageS,
          waitingChanges,
          lagSeconds: lagS,
          failingOrganisations: publisher.failingOrganisations,
          lastError: publisher.lastError,
        };
      },
    },
  };
}
