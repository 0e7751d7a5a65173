import { Router } from 'express';
import { pendingPostgresMigrations } from '../schema/postgres/migrate-postgres.ts';
import { authenticate, plainToken } from '../shared/auth/authenticate.ts';
import { TokenStore } from '../registry/token-store.ts';
import { ClickHouseMetrics } from '../shared/clickhouse/clickhouse-metrics.ts';
import { clickHouseDependency } from '../shared/clickhouse/clickhouse-dependency.ts';
import { connectMeasuredClickHouse } from '../shared/clickhouse/connect-measured-clickhouse.ts';
import { connectClickHouse } from '../shared/clickhouse/connect-clickhouse.ts';
import { openApiContract } from '../shared/http/openapi-contract.ts';
import { requestMetrics } from '../shared/http/request-metrics.ts';
import { serviceApp } from '../shared/http/service-app.ts';
import { connectPostgres } from '../shared/postgres/connect-postgres.ts';
import { postgresMetrics } from '../shared/postgres/postgres-metrics.ts';
import { postgresDependency } from '../shared/postgres/postgres-dependency.ts';
import type { Service, ServiceTools } from '../shared/run-service.ts';
import { AccessStore } from './access/access-store.ts';
import { snapshotDependency } from './access/snapshot-dependency.ts';
import { QueryAudit } from './audit/query-audit.ts';
import type { QueryConfig } from './config.ts';
import { queryRunner } from './execution/query-runner.ts';
import { QuerySlots } from './execution/query-slots.ts';
import { slotFigures } from './execution/slot-figures.ts';
import { openExports } from './export/export-service.ts';
import { explorerPage } from './routes/explorer-page.ts';
import { queryRoutes } from './routes/query-routes.ts';
import { signedFiles } from './routes/signed-files.ts';
import { objectStoreDependency } from './store/object-store-dependency.ts';

/** What the service asks for itself is short: a longer silence is a lost connection. */
const ownQueryMs = 15_000;

export async function buildQueryService(
  config: QueryConfig,
  { logger, registry }: ServiceTools,
): Promise<Service> {
  const database = connectPostgres(
    config.databaseUrl,
    config.databasePoolMax,
    'netpanel-query',
    config.databaseTimeoutMs,
  );
  // Callers' queries may take every connection there is; listings, and what the service does for
  // itself, a kill among it, have connections of their own.
  const silence = { silenceMs: ownQueryMs };
  const figures = new ClickHouseMetrics(registry);
  const pool = figures.addPool('queries', config.clickhouseConnections);
  const queries = connectClickHouse(config, 'netpanel-query', pool);
  const listings = connectMeasuredClickHouse(config, 'netpanel-query', figures, 'listing', silence);
  const background = connectMeasuredClickHouse(
    config,
    'netpanel-query',
    figures,
    'background',
    silence,
  );
  const tokens = new TokenStore(database, 'data', config.tokenCacheMs);
  const contract = openApiContract('query.yaml', config.maxBodyBytes);
  const running = { queries, background, figures, pool, logger };
  const slots = new QuerySlots(config.maxRunningQueries, config.queryQueueMs);
  const audit = new QueryAudit({
    clickhouse: background,
    flushMs: config.auditFlushMs,
    logger,
    registry,
  });
  const exports = await openExports({ ...running, config, database, registry });
  postgresMetrics(registry, database);
  slotFigures(registry, slots);

  const routes = Router();
  routes.use(contract.documentRoute);
  routes.use(explorerPage({ metadataUrl: config.explorerMetadataUrl, logger }));
  routes.use(signedFiles(exports));
  routes.use(authenticate(tokens, plainToken), contract.readBody, contract.enforce);
  routes.use(
    queryRoutes({
      config,
      database,
      clickhouse: listings,
      access: new AccessStore(database, listings, config.accessCacheMs),
      runner: queryRunner({ ...running, limits: config, slots }),
      audit,
      exports,
    }),
  );

  return {
    app: serviceApp({ logger, measure: requestMetrics(registry), routes }),
    dependencies: [
      postgresDependency(database, pendingPostgresMigrations),
      clickHouseDependency(background, config, { required: true, logger }),
      snapshotDependency(database, background),
      objectStoreDependency(exports.store),
    ],
    close: async (graceLeftMs) => {
      await exports.stop(graceLeftMs);
      await audit.close();
      await queries.close();
      await listings.close();
      await background.close();
      await database.destroy();
    },
  };
}
