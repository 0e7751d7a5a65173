import type { ClickHouseClient } from '@clickhouse/client';
import type { Registry } from '../../shared/metrics.ts';
import type {
  ClickHouseMetrics,
  ClickHousePool,
} from '../../shared/clickhouse/clickhouse-metrics.ts';
import type { Logger } from '../../shared/logging/create-logger.ts';
import type { QueryConfig } from '../config.ts';
import { queryRunner } from '../execution/query-runner.ts';
import type { QueryWeights } from '../execution/query-weights.ts';
import type { KnownMetadata } from '../known-at/known-metadata.ts';
import { OrganisationSlots } from '../../shared/slots/organisation-slots.ts';
import { openObjectStore } from '../../shared/object-store/open-object-store.ts';
import { exportAudit } from './export-audit.ts';
import { exportMetrics } from './export-metrics.ts';
import { type ExportDatabases, ExportLedger } from './export-ledger.ts';
import { ExportRunner } from './export-runner.ts';
import { exportSweeper } from './export-sweeper.ts';
import { LinkSigner } from './link-signer.ts';
import { publicUrlOf } from '../settings/public-url.ts';
import { waitingDownloads } from './waiting-downloads.ts';

interface Parts {
  readonly config: QueryConfig;
  readonly databases: ExportDatabases;
  /** For the queries of exports. */
  readonly queries: ClickHouseClient;
  /** For KILL QUERY and the audit. */
  readonly background: ClickHouseClient;
  readonly weights: QueryWeights;
  readonly metrics: ClickHouseMetrics;
  readonly prepareMetadata: KnownMetadata['prepare'];
  /** The name of the cluster; empty for a single server. */
  readonly cluster: string;
  readonly silenceMs: number;
  readonly pool: ClickHousePool;
  readonly logger: Logger;
  readonly registry: Registry;
}

export type ExportService = Awaited<ReturnType<typeof openExports>>;

/** Everything the export routes need. */
export async function openExports(parts: Parts) {
  const { config, databases, logger } = parts;
  if (config.exportLinkSecret === '') {
    logger.warn('EXPORT_LINK_SECRET is not set: export links become invalid on restart');
  }
  const signer = new LinkSigner(publicUrlOf(config), config.exportLinkSecret);
  const store = await openObjectStore(config, (key, expiresAt) =>
    signer.link(objectPath(key), expiresAt),
  );
  const ledger = new ExportLedger(databases, store.name, config.exportHeartbeatMs);
  const runner = new ExportRunner({
    ledger,
    store,
    queries: exportQueries(parts),
    settings: config,
    measure: exportMetrics(parts.registry),
    clickHouseResponds: async () => (await parts.background.ping({ select: true })).success,
    logger,
  });
  const sweeper = exportSweeper({
    ledger,
    store,
    runner,
    intervalMs: config.exportHeartbeatMs,
    logger,
  });
  const audit = exportAudit({
    database: databases.background,
    clickhouse: parts.background,
    intervalMs: config.auditFlushMs,
    logger,
  });
  const downloads = waitingDownloads({
    find: (id) => ledger.find(id),
    settings: config,
    registry: parts.registry,
  });
  sweeper.start();
  audit.start();
  return {
    ledger,
    runner,
    signer,
    store,
    downloads,
    /** The longest duration of an export. */
    timeoutMs: config.exportTimeoutMs,
    /** Called when a shutdown begins. */
    stopping: () => {
      downloads.stop();
      runner.stopping();
    },
    stop: async (graceMs: number) => {
      await runner.stop(graceMs);
      await sweeper.stop();
      await audit.stop();
    },
  };
}

export function objectPath(key: string): string {
  return `/objects/${key.split('/').map(encodeURIComponent).join('/')}`;
}

// Exports have their own limit, counted in Postgres over all replicas.
function exportQueries({ config, ...parts }: Parts) {
  return queryRunner({
    ...parts,
    limits: {
      ...config,
      queryTimeoutMs: config.exportTimeoutMs,
      maxResultRows: config.exportMaxRows,
    },
    slots: new OrganisationSlots('running exports', config.maxRunningExports, config.queryQueueMs),
  });
}
