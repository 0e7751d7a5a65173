import type { ClickHouseSettings } from '@clickhouse/client';
import { Router } from 'express';
import { RefusedRequests } from '../registry/refused-requests.ts';
import { TokenStore } from '../registry/token-store.ts';
import { pendingPostgresMigrations } from '../schema/postgres/migrate-postgres.ts';
import { CallCounter } from '../shared/audit/call-counter.ts';
import { authenticate, hasKnownToken, plainToken } from '../shared/auth/authenticate.ts';
import { clickHouseDependency } from '../shared/clickhouse/clickhouse-dependency.ts';
import { ClickHouseMetrics } from '../shared/clickhouse/clickhouse-metrics.ts';
import { connectMeasuredClickHouse } from '../shared/clickhouse/connect-measured-clickhouse.ts';
import { openApiContract } from '../shared/http/openapi-contract.ts';
import { requestMetrics } from '../shared/http/request-metrics.ts';
import { serviceApp } from '../shared/http/service-app.ts';
import { AdvisoryLocks } from '../shared/postgres/advisory-locks.ts';
import { postgresDependency } from '../shared/postgres/postgres-dependency.ts';
import { connectPostgresPools } from '../shared/postgres/postgres-pools.ts';
import { rateLimits } from '../shared/rate-limit/rate-limits.ts';
import type { Service, ServiceTools } from '../shared/run-service.ts';
import { OrganisationSlots } from '../shared/slots/organisation-slots.ts';
import { MemoryBudget } from './body/memory-budget.ts';
import type { IngestConfig } from './config.ts';
import { readLmapRegistry } from './lmap/lmap-registry.ts';
import { ingestRoutes } from './routes/ingest-routes.ts';
import { AgentFinder } from './store/find-agents.ts';
import { IdempotentRequests } from './store/idempotent-requests.ts';
import { IngestMetrics } from './store/ingest-metrics.ts';
import { startRemovingOldAnswers } from './store/remove-old-answers.ts';
import { ResultsBatcher } from './store/results-batcher.ts';
import { TestColumnsCache } from './store/test-columns-cache.ts';

export function buildIngestService(config: IngestConfig, tools: ServiceTools): Promise<Service> {
  const { logger, registry } = tools;
  const postgres = connectPostgresPools(
    config,
    'netpanel-ingest',
    {
      access: { max: config.databaseAccessPoolMax, seesAllOrganisations: true },
      requests: { max: config.databasePoolMax, seesAllOrganisations: false },
      background: { max: 2, seesAllOrganisations: true },
    },
    registry,
  );
  const { access, requests, background } = postgres.pools;
  const clickhouse = connectMeasuredClickHouse(
    config,
    'netpanel-ingest',
    new ClickHouseMetrics(registry),
    'results',
    { socketTimeoutMs: config.insertTimeoutMs },
  );
  const tokens = new TokenStore(access, 'data', config.tokenCacheMs);
  const contract = openApiContract('ingest', config);
  const calls = new CallCounter(background, logger);
  const refused = new RefusedRequests(background, logger);
  const locks = new AdvisoryLocks(config.databaseUrl, 'netpanel-ingest-keys');
  const limits = rateLimits({
    config,
    hasKnownToken: hasKnownToken(tokens, plainToken),
    logger,
    registry,
  });
  const memory = new MemoryBudget(config.maxBufferedBytes, config.queueMs);
  const metrics = new IngestMetrics(registry, memory);

  const routes = Router();
  routes.use(limits.byAddress);
  routes.use(contract.documentRoute);
  routes.use(refused.count);
  routes.use(limits.failures, authenticate(tokens, plainToken), ...limits.byToken);
  routes.use(calls.count, contract.requireScopes);
  // The routes read their bodies themselves, as streams. The OpenAPI validator handles unknown paths (404) and
  // methods (405).
  routes.use(
    ingestRoutes({
      config,
      requests,
      agents: new AgentFinder(requests),
      columns: new TestColumnsCache(clickhouse),
      lmap: readLmapRegistry(config.lmapRegistryFile),
      sink: new ResultsBatcher({
        clickhouse,
        batchMs: config.batchMs,
        maxInserts: config.maxRunningInserts,
        settings: quorumSettings(config),
        metrics,
        logger,
      }),
      keyed: new IdempotentRequests(requests, locks, config.idempotencyHours),
      memory,
      slots: new OrganisationSlots(
        'running requests with results',
        config.maxRunningPosts,
        config.queueMs,
      ),
      metrics,
    }),
  );
  routes.use(contract.enforce);

  calls.start();
  refused.start();
  const stopRemoving = startRemovingOldAnswers(background, config, logger);
  return Promise.resolve({
    app: serviceApp({
      logger,
      measure: requestMetrics(registry),
      routes,
      trustProxy: config.trustProxy,
    }),
    dependencies: [
      postgresDependency(access, pendingPostgresMigrations),
      clickHouseDependency(clickhouse, config, { required: true, logger }),
    ],
    close: async () => {
      await stopRemoving();
      await calls.stop();
      await refused.stop();
      locks.close();
      await clickhouse.close();
      await postgres.destroy();
    },
  });
}

/** On a cluster an insert returns when most replicas of each shard have the rows: one that is lost loses none. */
function quorumSettings({ clickhouseCluster }: IngestConfig): ClickHouseSettings {
  return clickhouseCluster === '' ? {} : { insert_quorum: 'auto', insert_quorum_parallel: 1 };
}
