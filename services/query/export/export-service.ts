import type { ClickHouseClient } from '@clickhouse/client';
import type { Registry } from 'prom-client';
import type {
  ClickHouseMetrics,
  ClickHousePool,
} from '../../shared/clickhouse/clickhouse-metrics.ts';
import type { Logger } from '../../shared/logging/create-logger.ts';
import type { QueryConfig } from '../config.ts';
import { queryRunner } from '../execution/query-runner.ts';
import type { KnownMetadata } from '../known-at/known-metadata.ts';
import { OrganisationSlots } from '../../shared/slots/organisation-slots.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { openObjectStore } from '../store/open-object-store.ts';
import { ExportAudit } from './export-audit.ts';
import { ExportMetrics } from './export-metrics.ts';
import { type ExportDatabases, ExportLedger } from './export-ledger.ts';
import { ExportRunner } from './export-runner.ts';
import { ExportSweeper } from './export-sweeper.ts';
import { LinkSigner } from './link-signer.ts';
import { publicUrlOf } from './public-url.ts';
import { WaitingDownloads } from './waiting-downloads.ts';

/** Everything the export routes need. */
export interface ExportService {
  readonly ledger: ExportLedger;
  readonly runner: ExportRunner;
  readonly signer: LinkSigner;
  readonly store: ObjectStore;
  readonly downloads: WaitingDownloads;
  /** The longest duration of an export. */
  readonly timeoutMs: number;
  /** Called when a shutdown begins. */
  stopping(): void;
  stop(graceMs: number): Promise<void>;
}

interface Parts {
  readonly config: QueryConfig;
  readonly databases: ExportDatabases;
  /** For the queries of exports. */
  readonly queries: ClickHouseClient;
  /** For KILL QUERY and the audit. */
  readonly background: ClickHouseClient;
  readonly metrics: ClickHouseMetrics;
  readonly knownMetadata: KnownMetadata;
  /** The name of the cluster; empty for a single server. */
  readonly cluster: string;
  readonly silenceMs: number;
  readonly pool: ClickHousePool;
  readonly logger: Logger;
  readonly registry: Registry;
}

export async function openExports(parts: Parts): Promise<ExportService> {
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
    exportMetrics: new ExportMetrics(parts.registry),
    logger,
  });
  const sweeper = new ExportSweeper({
    ledger,
    store,
    runner,
    intervalMs: config.exportHeartbeatMs,
    logger,
  });
  const audit = new ExportAudit({
    database: databases.background,
    clickhouse: parts.background,
    intervalMs: config.auditFlushMs,
    logger,
  });
  const downloads = new WaitingDownloads({
    find: (id) => ledger.find(id),
    settings: config,
    registry: parts.registry,
  });
  return {
    ledger,
    runner,
    signer,
    store,
    downloads,
    timeoutMs: config.exportTimeoutMs,
    stopping: () => {
      downloads.stop();
      runner.stopping();
    },
    stop: async (graceMs) => {
      await runner.stop(graceMs);
      await sweeper.close();
      await audit.close();
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
