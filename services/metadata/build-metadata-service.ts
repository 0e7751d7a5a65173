import { Router } from 'express';
import { pendingPostgresMigrations } from '../schema/postgres/migrate-postgres.ts';
import { bearerToken } from '../shared/http/authenticate.ts';
import { TokenStore } from '../registry/tokens/token-store.ts';
import { clickHouseDependency } from '../shared/clickhouse/clickhouse-dependency.ts';
import { clickHouseMetrics } from '../shared/clickhouse/clickhouse-metrics.ts';
import { connectMeasuredClickHouse } from '../shared/clickhouse/connect-measured-clickhouse.ts';
import { allowOrigins } from '../shared/http/allow-origins.ts';
import type { Service, ServiceTools } from '../shared/run-service.ts';
import { serviceBase } from '../shared/service-base.ts';
import { listingSlots, OrganisationSlots } from '../shared/slots/organisation-slots.ts';
import { callCounter } from '../shared/audit/call-counter.ts';
import { refusedRequests } from '../registry/audit/refused-requests.ts';
import { metricsOf } from '../shared/metrics.ts';
import type { MetadataConfig } from './config.ts';
import { erasureJob } from './erasure/erasure-job.ts';
import { internalServerError, metadataRoutes } from './routes/metadata-routes.ts';
import { retentionJob } from './retention/retention-job.ts';
import { retentionRules } from './retention/retention-rules.ts';
import { storedAnswersEviction } from './retention/stored-answers-eviction.ts';
import { startSnapshots } from './snapshot/start-snapshots.ts';

export function buildMetadataService(
  config: MetadataConfig,
  tools: ServiceTools,
): Promise<Service> {
  const { logger, registry } = tools;
  const base = serviceBase({
    name: 'metadata',
    config,
    tools,
    pools: {
      changes: { max: config.databaseChangePoolMax, seesAllOrganisations: false },
      background: { max: config.databaseBackgroundPoolMax, seesAllOrganisations: true },
    },
    tokensOf: (access) => new TokenStore(access, 'metadata', config.tokenCacheMs),
    readToken: bearerToken,
    pendingMigrations: pendingPostgresMigrations,
  });
  const { contract } = base;
  const { requests, changes, background } = base.pools;
  const clickhouse = connectMeasuredClickHouse(
    config,
    'netpanel-metadata',
    clickHouseMetrics(registry),
    'snapshot',
  );
  const calls = callCounter(background, logger);
  const refused = refusedRequests(background, logger);
  const snapshots = startSnapshots(background, clickhouse, tools, {
    cluster: config.clickhouseCluster,
  });
  const stores = { database: background, clickhouse, cluster: config.clickhouseCluster };
  const erasures = erasureJob(stores, tools);
  const retention = retentionJob(background, retentionRules(stores, config), tools);
  const eviction = storedAnswersEviction({
    clickhouse,
    maxBytes: config.storedAnswersBytes,
    logger,
  });

  const slots = new OrganisationSlots(
    'running changes',
    config.maxRunningChanges,
    config.changeQueueMs,
  );
  const { measured, counted } = metricsOf(registry);
  measured(
    'netpanel_change_slots_waiting',
    "Metadata changes that are queued because of their organisation's limit.",
    () => slots.counts.waiting,
  );
  counted(
    'netpanel_change_slots_refused_total',
    'Metadata changes that were queued for too long and got status 429.',
    () => slots.counts.refused,
  );

  const routes = Router();
  // First, so that browsers can read a 429.
  routes.use(allowOrigins(config.corsOrigins));
  routes.use(base.byAddress);
  routes.use(contract.documentRoute, internalServerError());
  routes.use(refused.count);
  routes.use(...base.authenticated);
  routes.use(calls.count, contract.requireScopes, contract.readBody);
  // The routes validate their requests themselves, with the contract's messages. The OpenAPI validator
  // handles the rest: unknown paths (404) and methods (405).
  routes.use(
    metadataRoutes({
      config,
      requests,
      changes,
      slots,
      listingSlots: listingSlots(config),
      logger,
      onChange: snapshots.wake,
      onErasure: erasures.wake,
    }),
  );
  routes.use(contract.enforce);

  const jobs = [calls.job, erasures, refused.job, retention, eviction];
  for (const job of jobs) job.start();
  const service = base.serve(routes, {
    dependencies: [
      // Without ClickHouse, changes are still accepted; only the lag grows.
      clickHouseDependency(clickhouse, config, { required: false, logger }),
      snapshots.dependency,
    ],
    close: async () => {
      for (const job of jobs) await job.stop();
      await snapshots.stop();
      await clickhouse.close();
    },
  });
  return Promise.resolve(service);
}
