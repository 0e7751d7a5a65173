import type { ClickHouseClient } from '@clickhouse/client';
import type { Dependency } from '../../shared/http/dependency.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { snapshotState } from '../../registry/versions/snapshot-state.ts';
import type { ServiceTools } from '../../shared/run-service.ts';
import { changesLane, snapshotsLane } from './publish-lanes.ts';
import { changeTables, snapshotTables } from './publication-tables.ts';
import type { PublishTools } from './publish-tools.ts';
import { snapshotMetrics } from './snapshot-metrics.ts';
import { SnapshotLedger } from './snapshot-ledger.ts';
import { SnapshotPublisher } from './snapshot-publisher.ts';
import { SnapshotStatements } from './snapshot-statements.ts';
import { SnapshotTable } from './snapshot-table.ts';

export type Snapshots = ReturnType<typeof startSnapshots>;

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
) {
  const stop = new AbortController();
  const metrics = snapshotMetrics(registry, database);
  const publishers = [changesLane, snapshotsLane].map((lane) => {
    const statements = new SnapshotStatements(clickhouse, stop.signal, cluster);
    const tools: PublishTools = {
      database,
      ledger: new SnapshotLedger(database),
      statements,
      snapshots: new SnapshotTable(statements, snapshotTables),
      changes: new SnapshotTable(statements, changeTables),
      onStep: onStep ?? ((step) => logger.debug('snapshot step', { step })),
    };
    return new SnapshotPublisher({
      lane: lane(tools),
      metrics,
      logger,
      abort: () => stop.abort(),
    });
  });
  for (const publisher of publishers) publisher.start();
  return {
    wake: () => publishers.forEach((publisher) => publisher.wake()),
    stop: async () => {
      await Promise.all(publishers.map((publisher) => publisher.stop()));
    },
    /** Reports the lag. Not required: without ClickHouse, changes are still accepted. */
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
          failingOrganisations: [
            ...new Set(publishers.flatMap(({ failingOrganisations }) => failingOrganisations)),
          ],
          lastError: publishers.map(({ lastError }) => lastError).find((error) => error),
        };
      },
    } satisfies Dependency,
  };
}
