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
import type { QueryConfig } from './config.ts';

export function buildQueryService(
  config: QueryConfig,
  { logger, registry }: ServiceTools,
): Promise<Service> {
  const database = connectPostgres(config.databaseUrl, config.databasePoolMax, 'netpanel-query');
  const clickhouse = connectClickHouse(config, 'netpanel-query');
  const tokens = new TokenStore(database, 'data', config.tokenCacheMs);
  const contract = openApiContract('query.yaml', config.maxBodyBytes);

  const routes = Router();
  routes.use(contract.documentRoute);
  routes.use(authenticate(tokens, plainToken), contract.readBody, contract.enforce);

  return Promise.resolve({
    app: serviceApp({ logger, measure: requestMetrics(registry), routes }),
    dependencies: [postgresDependency(database), clickHouseDependency(clickhouse)],
    close: async () => {
      await clickhouse.close();
      await database.destroy();
    },
  });
}
