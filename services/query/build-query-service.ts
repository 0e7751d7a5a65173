import { Router } from 'express';
import { pendingPostgresMigrations } from '../schema/postgres/migrate-postgres.ts';
import { authenticate, hasKnownToken, plainToken } from '../shared/auth/authenticate.ts';
import { TokenStore } from '../registry/token-store.ts';
import { ClickHouseMetrics } from '../shared/clickhouse/clickhouse-metrics.ts';
import { clickHouseDependency } from '../shared/clickhouse/clickhouse-dependency.ts';
import { connectMeasuredClickHouse } from '../shared/clickhouse/connect-measured-clickhouse.ts';
import { connectClickHouse } from '../shared/clickhouse/connect-clickhouse.ts';
import { openApiContract } from '../shared/http/openapi-contract.ts';
import { requestMetrics } from '../shared/http/request-metrics.ts';
import { serviceApp } from '../shared/http/service-app.ts';
import { AdvisoryLocks } from '../shared/postgres/advisory-locks.ts';
import { postgresDependency } from '../shared/postgres/postgres-dependency.ts';
import { connectPostgresPools } from '../shared/postgres/postgres-pools.ts';
import { rateLimits } from '../shared/rate-limit/rate-limits.ts';
import type { Service, ServiceTools } from '../shared/run-service.ts';
import { listingSlots } from '../shared/slots/listing-slots.ts';
import { AccessStore } from './access/access-store.ts';
import { AgentZones } from './access/agent-zones.ts';
import { PublishedMetadata } from './access/published-metadata.ts';
import { snapshotDependency } from './access/snapshot-dependency.ts';
import { auditRequests } from './audit/audit-requests.ts';
import { QueryAudit } from './audit/query-audit.ts';
import { Answers } from './cache/answers.ts';
import { CacheMetrics } from './cache/cache-metrics.ts';
import { ResultVersionReader } from './cache/result-versions.ts';
import { StoredAnswers } from './cache/stored-answers.ts';
import type { QueryConfig } from './config.ts';
import { queryRunner } from './execution/query-runner.ts';
import { SharedSlots } from '../shared/slots/shared-slots.ts';
import { CustomNumbers } from './listing/custom-numbers.ts';
import { KnownValues } from './listing/known-values.ts';
import { querySlotMetrics } from './execution/query-slot-metrics.ts';
import { openExports } from './export/export-service.ts';
import { KnownMetadata } from './known-at/known-metadata.ts';
import { MetadataCopies } from './known-at/metadata-copies.ts';
import { explorerPage } from './routes/explorer-page.ts';
import { queryRoutes } from './routes/query-routes.ts';
import { signedFiles } from './routes/signed-files.ts';
import { SavedViews } from './views/saved-views.ts';
import { objectStoreDependency } from './store/object-store-dependency.ts';

/** Listings and background queries are short: a longer wait means a lost connection. */
const ownQueryTimeoutMs = 15_000;

export async function buildQueryService(
  config: QueryConfig,
  { logger, registry }: ServiceTools,
): Promise<Service> {
  const postgres = connectPostgresPools(
    config,
    'netpanel-query',
    {
      access: { max: config.databaseAccessPoolMax, seesAllOrganisations: true },
      requests: { max: config.databasePoolMax, seesAllOrganisations: false },
      background: { max: config.databaseBackgroundPoolMax, seesAllOrganisations: true },
    },
    registry,
  );
  // Client queries may use all connections of their pool. Listings and background queries, such as
  // KILL QUERY, have separate connections.
  const timeout = { socketTimeoutMs: ownQueryTimeoutMs };
  const metrics = new ClickHouseMetrics(registry);
  const pool = metrics.addPool('queries', config.clickhouseConnections);
  const queries = connectClickHouse(config, 'netpanel-query', pool);
  const listings = connectMeasuredClickHouse(config, 'netpanel-query', metrics, 'listing', timeout);
  const background = connectMeasuredClickHouse(
    config,
    'netpanel-query',
    metrics,
    'background',
    timeout,
  );
  const versions = connectMeasuredClickHouse(config, 'netpanel-query', metrics, 'version', timeout);
  const tokens = new TokenStore(postgres.pools.access, 'data', config.tokenCacheMs);
  const contract = openApiContract('query', config);
  const knownMetadata = new KnownMetadata({
    database: postgres.pools.requests,
    copies: new MetadataCopies(queries, config.clickhouseCluster),
    maxPeriods: config.maxKnownAtPeriods,
    maxWaitMs: config.queryTimeoutMs,
  });
  const running = {
    queries,
    background,
    metrics,
    pool,
    knownMetadata,
    cluster: config.clickhouseCluster,
    silenceMs: config.clickhouseSilenceMs,
    logger,
  };
  const locks = new AdvisoryLocks(config.databaseUrl, 'netpanel-query-slots');
  const slots = new SharedSlots(
    {
      work: 'running queries',
      perOrganisation: config.maxRunningQueries,
      total: config.maxRunningQueriesTotal,
      maxWaitMs: config.queryQueueMs,
    },
    locks,
    logger,
  );
  const runner = queryRunner({ ...running, limits: config, slots });
  const stored = new StoredAnswers(versions, config.storedAnswersBytes, logger);
  const answers = new Answers({
    versions,
    stored,
    runner,
    metrics: new CacheMetrics(registry),
    logger,
    minMs: config.storedAnswersMinMs,
  });
  const audit = new QueryAudit({
    clickhouse: background,
    flushMs: config.auditFlushMs,
    logger,
    registry,
  });
  const exports = await openExports({
    ...running,
    config,
    databases: postgres.pools,
    registry,
  });
  querySlotMetrics(registry, slots);

  const limits = rateLimits({
    config,
    hasKnownToken: hasKnownToken(tokens, plainToken),
    logger,
    registry,
  });

  const routes = Router();
  routes.use(limits.byAddress);
  routes.use(contract.documentRoute);
  routes.use(explorerPage({ config, logger }));
  routes.use(auditRequests(audit));
  routes.use(signedFiles(exports));
  routes.use(limits.failures, authenticate(tokens, plainToken), ...limits.byToken);
  routes.use(contract.requireScopes, contract.readBody, contract.enforce);
  routes.use(
    queryRoutes({
      config,
      database: postgres.pools.requests,
      clickhouse: listings,
      resultVersions: new ResultVersionReader({
        clickhouse: versions,
        cluster: config.clickhouseCluster,
        logger,
      }),
      access: new AccessStore(postgres.pools.access, listings, config.accessCacheMs),
      metadata: new PublishedMetadata(postgres.pools.access, config.metadataWaitMs),
      agentZones: new AgentZones(versions),
      knownValues: new KnownValues(listings, config),
      numberRanges: new CustomNumbers(listings, config),
      listingSlots: listingSlots(config),
      runner,
      ...(config.storedAnswersBytes > 0 && config.clickhouseCluster === '' && { answers }),
      knownMetadata,
      exports,
      views: new SavedViews(postgres.pools.requests),
      logger,
    }),
  );

  return {
    app: serviceApp({
      logger,
      measure: requestMetrics(registry),
      routes,
      trustProxy: config.trustProxy,
    }),
    dependencies: [
      postgresDependency(postgres.pools.access, pendingPostgresMigrations),
      clickHouseDependency(background, config, { required: true, logger }),
      snapshotDependency(postgres.pools.access, background),
      objectStoreDependency(exports.store),
    ],
    stopping: () => exports.stopping(),
    close: async (graceLeftMs) => {
      await exports.stop(graceLeftMs);
      await audit.close();
      await queries.close();
      await listings.close();
      await stored.close();
      await versions.close();
      await background.close();
      locks.close();
      await postgres.destroy();
    },
  };
}
