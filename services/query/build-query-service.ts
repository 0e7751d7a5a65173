import { Router } from 'express';
import { pendingPostgresMigrations } from '../schema/postgres/migrate-postgres.ts';
import { plainToken } from '../shared/http/authenticate.ts';
import { TokenStore } from '../registry/tokens/token-store.ts';
import { clickHouseMetrics } from '../shared/clickhouse/clickhouse-metrics.ts';
import { clickHouseDependency } from '../shared/clickhouse/clickhouse-dependency.ts';
import { connectMeasuredClickHouse } from '../shared/clickhouse/connect-measured-clickhouse.ts';
import { connectClickHouse } from '../shared/clickhouse/connect-clickhouse.ts';
import { AdvisoryLocks } from '../shared/postgres/advisory-locks.ts';
import { readJsonBody } from '../shared/http/read-json-body.ts';
import type { Service, ServiceTools } from '../shared/run-service.ts';
import { serviceBase } from '../shared/service-base.ts';
import { accessStore } from './access/access-store.ts';
import { agentZones } from './access/agent-zones.ts';
import { publishedMetadata } from './access/published-metadata.ts';
import { auditRequests } from './audit/audit-requests.ts';
import { QueryAudit } from './audit/query-audit.ts';
import { Answers } from './cache/answers.ts';
import { resultVersionReader } from './cache/result-versions.ts';
import { StoredAnswers } from './cache/stored-answers.ts';
import type { QueryConfig } from './config.ts';
import { queryRunner } from './execution/query-runner.ts';
import { QueryWeights } from './execution/query-weights.ts';
import { SharedSlots } from '../shared/slots/shared-slots.ts';
import { metricsOf } from '../shared/metrics.ts';
import { customNumbers } from './listing/custom-numbers.ts';
import { dataOfMetrics } from './listing/data-of-metrics.ts';
import { knownValues } from './listing/known-values.ts';
import { openExports } from './export/export-service.ts';
import { knownMetadata } from './known-at/known-metadata.ts';
import { metadataCopies } from './known-at/metadata-copies.ts';
import { explorerPage } from './routes/explorer-page.ts';
import { queryRoutes } from './routes/query-routes.ts';
import { signedFiles } from './routes/signed-files.ts';
import { regionMapOf, maxMapBytes } from './region-map/region-map-settings.ts';
import { RegionMaps } from './region-map/region-maps.ts';
import { SavedViews } from './views/saved-views.ts';
import { listingSlots } from '../shared/slots/organisation-slots.ts';
import { snapshotDependency } from './access/latest-publication.ts';
import { objectStoreDependency } from '../shared/object-store/open-object-store.ts';

/** Listings and background queries are short: a longer wait means a lost connection. */
const ownQueryTimeoutMs = 15_000;
/** A position is three values of JSON, in at least eight bytes. */
const maxMapValues = 2_000_000;

export async function buildQueryService(
  config: QueryConfig,
  tools: ServiceTools,
): Promise<Service> {
  const { logger, registry } = tools;
  const base = serviceBase({
    name: 'query',
    config,
    tools,
    pools: { background: { max: config.databaseBackgroundPoolMax, seesAllOrganisations: true } },
    tokensOf: (access) => new TokenStore(access, 'data', config.tokenCacheMs),
    readToken: plainToken,
    pendingMigrations: pendingPostgresMigrations,
  });
  const { clock, contract } = base;
  const { access, requests } = base.pools;
  // Client queries may use all connections of their pool. Listings and background queries, such as
  // KILL QUERY, have separate connections.
  const timeout = { socketTimeoutMs: ownQueryTimeoutMs };
  const metrics = clickHouseMetrics(registry);
  const pool = metrics.addPool('queries', config.clickhouseConnections);
  const queries = connectClickHouse(config, 'netpanel-query', pool);
  const connect = (kind: 'listing' | 'background' | 'version') =>
    connectMeasuredClickHouse(config, 'netpanel-query', metrics, kind, timeout);
  const listings = connect('listing');
  const background = connect('background');
  const versions = connect('version');
  const earlierMetadata = knownMetadata({
    database: requests,
    copies: metadataCopies(queries, config.clickhouseCluster),
    maxPeriods: config.maxKnownAtPeriods,
    maxWaitMs: config.queryTimeoutMs,
  });
  const weights = new QueryWeights({ clickhouse: background, limits: config, logger });
  const running = {
    queries,
    weights,
    background,
    metrics,
    pool,
    prepareMetadata: earlierMetadata.prepare,
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
    answers: metricsOf(registry).counter(
      'netpanel_stored_answers_total',
      'Aggregate queries by cache outcome: hit (all stored), partial or miss.',
      'state',
    ),
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
    databases: base.pools,
    registry,
  });
  const { measured, counted } = metricsOf(registry);
  measured('netpanel_query_slots_running', 'Running client queries.', () => slots.counts.running);
  measured(
    'netpanel_query_slots_waiting',
    "Client queries that are queued because of their organisation's limit or the limit of all.",
    () => slots.counts.waiting,
  );
  counted(
    'netpanel_query_slots_refused_total',
    'Client queries that were queued for too long and got status 429.',
    () => slots.counts.refused,
  );

  const routes = Router();
  routes.use(base.byAddress);
  routes.use(contract.documentRoute);
  routes.use(explorerPage({ config, logger }));
  routes.use(auditRequests(audit));
  routes.use(signedFiles(exports));
  routes.use(...base.authenticated);
  routes.use(contract.requireScopes);
  // Larger than any other body: borders are many numbers.
  routes.put(
    '/region-map',
    ...readJsonBody({ ...config, maxBodyBytes: maxMapBytes, maxBodyValues: maxMapValues }),
  );
  routes.use(contract.readBody, contract.enforce);
  routes.use(
    queryRoutes({
      config,
      clock,
      clickhouse: listings,
      resultVersions: resultVersionReader({
        clickhouse: versions,
        cluster: config.clickhouseCluster,
        logger,
      }),
      access: accessStore(access, listings, config.accessCacheMs),
      metadata: publishedMetadata(access, config.metadataWaitMs),
      agentZones: agentZones(versions),
      knownValues: knownValues(listings, config),
      numberRanges: customNumbers(listings, config),
      dataOfMetrics: dataOfMetrics(listings, config),
      listingSlots: listingSlots(config),
      runner,
      ...(config.storedAnswersBytes > 0 && config.clickhouseCluster === '' && { answers }),
      knownMetadata: earlierMetadata,
      exports,
      views: new SavedViews(requests),
      regionMaps: new RegionMaps(requests, regionMapOf(config)),
      logger,
    }),
  );

  return base.serve(routes, {
    dependencies: [
      clickHouseDependency(background, config, { required: true, logger }),
      snapshotDependency(access, background),
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
    },
  });
}
