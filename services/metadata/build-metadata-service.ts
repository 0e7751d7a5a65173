import { Router } from 'express';
import { pendingPostgresMigrations } from '../schema/postgres/migrate-postgres.ts';
import { authenticate, bearerToken, hasKnownToken } from '../shared/auth/authenticate.ts';
import { TokenStore } from '../registry/token-store.ts';
import { clickHouseDependency } from '../shared/clickhouse/clickhouse-dependency.ts';
import { ClickHouseMetrics } from '../shared/clickhouse/clickhouse-metrics.ts';
import { connectMeasuredClickHouse } from '../shared/clickhouse/connect-measured-clickhouse.ts';
import { allowOrigins } from '../shared/http/allow-origins.ts';
import { openApiContract } from '../shared/http/openapi-contract.ts';
import { requestMetrics } from '../shared/http/request-metrics.ts';
import { serviceApp } from '../shared/http/service-app.ts';
import { postgresDependency } from '../shared/postgres/postgres-dependency.ts';
import { connectPostgresPools } from '../shared/postgres/postgres-pools.ts';
import { rateLimits } from '../shared/rate-limit/rate-limits.ts';
import type { Service, ServiceTools } from '../shared/run-service.ts';
import { listingSlots } from '../shared/slots/listing-slots.ts';
import { OrganisationSlots } from '../shared/slots/organisation-slots.ts';
import { CallCounter } from '../shared/audit/call-counter.ts';
import { RefusedRequests } from '../registry/refused-requests.ts';
import type { MetadataConfig } from './config.ts';
import { startErasures } from './erasure/start-erasures.ts';
import { changeSlotMetrics } from './routes/change-slot-metrics.ts';
import { internalServerError } from './routes/internal-server-error.ts';
import { metadataRoutes } from './routes/metadata-routes.ts';
import { retentionJob } from './retention/retention-job.ts';
import { RetentionMetrics } from './retention/retention-metrics.ts';
import { retentionRules } from './retention/retention-rules.ts';
import { storedAnswersEviction } from './retention/stored-answers-eviction.ts';
import { startSnapshots } from './snapshot/start-snapshots.ts';

export function buildMetadataService(
  config: MetadataConfig,
  tools: ServiceTools,
): Promise<Service> {
  const { logger, registry } = tools;
  const postgres = connectPostgresPools(
    config,
    'netpanel-metadata',
    {
      access: { max: config.databaseAccessPoolMax, seesAllOrganisations: true },
      requests: { max: config.databasePoolMax, seesAllOrganisations: false },
      changes: { max: config.databaseChangePoolMax, seesAllOrganisations: false },
      background: { max: config.databaseBackgroundPoolMax, seesAllOrganisations: true },
    },
    registry,
  );
  const { access, requests, changes, background } = postgres.pools;
  const clickhouse = connectMeasuredClickHouse(
    config,
    'netpanel-metadata',
    new ClickHouseMetrics(registry),
    'snapshot',
  );
  const tokens = new TokenStore(access, 'metadata', config.tokenCacheMs);
  const contract = openApiContract('metadata', config);
  const calls = new CallCounter(background, logger);
  const refused = new RefusedRequests(background, logger);
  const snapshots = startSnapshots(background, clickhouse, tools, {
    cluster: config.clickhouseCluster,
  });
  const stores = { database: background, clickhouse, cluster: config.clickhouseCluster };
  const erasures = startErasures(stores, tools);
  const rules = retentionRules(stores, config);
  const retention = retentionJob({
    database: background,
    rules,
    metrics: new RetentionMetrics(registry, background, rules),
    logger,
  });
  const eviction = storedAnswersEviction({
    clickhouse,
    maxBytes: config.storedAnswersBytes,
    logger,
  });

  const limits = rateLimits({
    config,
    hasKnownToken: hasKnownToken(tokens, bearerToken),
    logger,
    registry,
  });

  const slots = new OrganisationSlots(
    'running changes',
    config.maxRunningChanges,
    config.changeQueueMs,
  );
  changeSlotMetrics(registry, slots);

  const routes = Router();
  // First, so that browsers can read a 429.
  routes.use(allowOrigins(config.corsOrigins));
  routes.use(limits.byAddress);
  routes.use(contract.documentRoute, internalServerError());
  routes.use(refused.count);
  routes.use(limits.failures, authenticate(tokens, bearerToken), ...limits.byToken);
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

  calls.start();
  refused.start();
  retention.start();
  eviction.start();
  return Promise.resolve({
    app: serviceApp({
      logger,
      measure: requestMetrics(registry),
      routes,
      trustProxy: config.trustProxy,
    }),
    dependencies: [
      postgresDependency(access, pendingPostgresMigrations),
      // Without ClickHouse, changes are still accepted; only the lag grows.
      clickHouseDependency(clickhouse, config, { required: false, logger }),
      snapshots.dependency,
    ],
    close: async () => {
      await calls.stop();
      await erasures.stop();
      await refused.stop();
      await retention.stop();
      await eviction.stop();
      await snapshots.stop();
      await clickhouse.close();
      await postgres.destroy();
    },
  });
}
