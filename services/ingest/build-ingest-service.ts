import type { ClickHouseSettings } from '@clickhouse/client';
import { Router } from 'express';
import { refusedRequests } from '../registry/audit/refused-requests.ts';
import { TokenStore } from '../registry/tokens/token-store.ts';
import { pendingPostgresMigrations } from '../schema/postgres/migrate-postgres.ts';
import { callCounter } from '../shared/audit/call-counter.ts';
import { plainToken } from '../shared/http/authenticate.ts';
import { clickHouseDependency } from '../shared/clickhouse/clickhouse-dependency.ts';
import { clickHouseMetrics } from '../shared/clickhouse/clickhouse-metrics.ts';
import { connectMeasuredClickHouse } from '../shared/clickhouse/connect-measured-clickhouse.ts';
import { refuseSlowBodies } from '../shared/http/refuse-slow-bodies.ts';
import { AdvisoryLocks } from '../shared/postgres/advisory-locks.ts';
import type { Service, ServiceTools } from '../shared/run-service.ts';
import { serviceBase } from '../shared/service-base.ts';
import { OrganisationSlots } from '../shared/slots/organisation-slots.ts';
import { OrganisationTurns } from '../shared/slots/organisation-turns.ts';
import { MemoryBudget } from './body/memory-budget.ts';
import type { IngestConfig } from './config.ts';
import { readLmapRegistry } from './lmap/lmap-registry.ts';
import { ingestRoutes } from './routes/ingest-routes.ts';
import { AgentFinder } from './rows/find-agents.ts';
import { IdempotentRequests, removalOfOldAnswers } from './request/idempotent-requests.ts';
import { ingestMetrics } from './batches/ingest-metrics.ts';
import { ResultsBatcher } from './batches/results-batcher.ts';

export function buildIngestService(config: IngestConfig, tools: ServiceTools): Promise<Service> {
  const { logger, registry } = tools;
  const base = serviceBase({
    name: 'ingest',
    config,
    tools,
    pools: { background: { max: 2, seesAllOrganisations: true } },
    tokensOf: (access) => new TokenStore(access, 'data', config.tokenCacheMs),
    readToken: plainToken,
    pendingMigrations: pendingPostgresMigrations,
  });
  const { clock, contract } = base;
  const { requests, background } = base.pools;
  const clickhouse = connectMeasuredClickHouse(
    config,
    'netpanel-ingest',
    clickHouseMetrics(registry),
    'results',
    { socketTimeoutMs: config.insertTimeoutMs },
  );
  const calls = callCounter(background, logger);
  const refused = refusedRequests(background, logger);
  const locks = new AdvisoryLocks(config.databaseUrl, 'netpanel-ingest-keys');
  const memory = new MemoryBudget(config.maxBufferedBytes, config.queueMs);
  const metrics = ingestMetrics(registry, memory);

  const routes = Router();
  routes.use(base.byAddress);
  routes.use(contract.documentRoute);
  routes.use(refused.count);
  routes.use(...base.authenticated);
  routes.use(calls.count, contract.requireScopes);
  routes.use(refuseSlowBodies(config.minBodyBytesPerSecond));
  // The routes read their bodies themselves, as streams. The OpenAPI validator handles unknown paths (404) and
  // methods (405).
  routes.use(
    ingestRoutes({
      config,
      clock,
      requests,
      agents: new AgentFinder(requests),
      lmap: readLmapRegistry(config.lmapRegistryFile),
      batcher: new ResultsBatcher({
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
      turns: new OrganisationTurns(),
      metrics,
    }),
  );
  routes.use(contract.enforce);

  const jobs = [removalOfOldAnswers(background, config, logger), calls.job, refused.job];
  for (const job of jobs) job.start();
  const service = base.serve(routes, {
    dependencies: [clickHouseDependency(clickhouse, config, { required: true, logger })],
    close: async () => {
      for (const job of jobs) await job.stop();
      locks.close();
      await clickhouse.close();
    },
  });
  return Promise.resolve(service);
}

/** On a cluster an insert returns when most replicas of each shard have the rows: one that is lost loses none. */
function quorumSettings({ clickhouseCluster }: IngestConfig): ClickHouseSettings {
  return clickhouseCluster === '' ? {} : { insert_quorum: 'auto', insert_quorum_parallel: 1 };
}
