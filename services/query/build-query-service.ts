import { Router } from 'express';
import { authenticate, plainToken } from '../shared/auth/authenticate.ts';
import { TokenStore } from '../shared/auth/token-store.ts';
import { clickHouseDependency } from '../shared/clickhouse/clickhouse-dependency.ts';
import { connectClickHouse } from '../shared/clickhouse/connect-clickhouse.ts';
import { openApiContract } from '../shared/http/openapi-contract.ts';
import { requestMetrics } from '../shared/http/request-metrics.ts';
import { serviceApp } from '../shared/http/service-app.ts';
import { connectPostgres } from '../shared/postgres/connect-postgres.ts';
import { postgresDependency } from '../shared/postgres/postgres-dependency.ts';
import type { Service, ServiceTools } from '../shared/run-service.ts';
import { AccessStore } from './access/access-store.ts';
import { QueryAudit } from './audit/query-audit.ts';
import type { QueryConfig } from './config.ts';
import { queryRunner } from './execution/query-runner.ts';
import { QuerySlots } from './execution/query-slots.ts';
import { openExports } from './export/export-service.ts';
import { queryRoutes } from './routes/query-routes.ts';
import { signedFiles } from './routes/signed-files.ts';

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
  // Callers' queries may take every connection there is; what the service does for itself, a kill
  // among it, has connections of its own.
  const queries = connectClickHouse(config, 'netpanel-query', {
    maxConnections: config.clickhouseConnections,
  });
  const clickhouse = connectClickHouse(config, 'netpanel-query', {
    silenceMs: Math.min(config.queryTimeoutMs, ownQueryMs),
  });
  const tokens = new TokenStore(database, 'data', config.tokenCacheMs);
  const contract = openApiContract('query.yaml', config.maxBodyBytes);
  const slots = new QuerySlots(config.maxRunningQueries, config.queryQueueMs);
  const audit = new QueryAudit({ clickhouse, flushMs: config.auditFlushMs, logger, registry });
  const exports = await openExports({ config, database, queries, clickhouse, logger });

  const routes = Router();
  routes.use(contract.documentRoute);
  routes.use(signedFiles(exports));
  routes.use(authenticate(tokens, plainToken), contract.readBody, contract.enforce);
  routes.use(
    queryRoutes({
      config,
      database,
      clickhouse,
      access: new AccessStore(database, clickhouse, config.accessCacheMs),
      runner: queryRunner({ queries, background: clickhouse, limits: config, slots, logger }),
      audit,
      exports,
    }),
  );

  return {
    app: serviceApp({ logger, measure: requestMetrics(registry), routes }),
    dependencies: [postgresDependency(database), clickHouseDependency(clickhouse)],
    close: async (graceLeftMs) => {
      await exports.stop(graceLeftMs);
      await audit.close();
      await queries.close();
      await clickhouse.close();
      await database.destroy();
    },
  };
}
