import { join } from 'node:path';
import { Registry } from '../../services/shared/metrics.ts';
import { serviceDatabaseUrl } from '../../deploy/local/service-database-url.ts';
import { buildQueryService } from '../../services/query/build-query-service.ts';
import { readQueryConfig } from '../../services/query/config.ts';
import { listen } from '../../services/shared/http/listener.ts';
import { createLogger } from '../../services/shared/logging/create-logger.ts';
import { freePort } from './free-port.ts';
import { localStack } from './local-stack.ts';

export interface QueryService {
  readonly url: string;
  readonly registry: Registry;
  /** Waits up to `graceMs` for running requests and exports. */
  stop(graceMs?: number): Promise<void>;
}

/** A second query service in this process, on the local stack's engines, with other settings. */
export async function startQueryService(
  settings: Readonly<Record<string, string>>,
): Promise<QueryService> {
  const { env, stateDir } = await localStack();
  const port = await freePort();
  const all: Readonly<Record<string, string>> = {
    ...env,
    LOG_LEVEL: 'error',
    QUERY_PORT: String(port),
    EXPORT_FOLDER: join(stateDir, 'exports'),
    ...settings,
  };
  const config = readQueryConfig({
    ...all,
    DATABASE_URL: serviceDatabaseUrl('query', all.DATABASE_URL ?? ''),
  });
  const logger = createLogger('query-under-test', config.logLevel);
  logger.silent = true;
  const registry = new Registry();
  const service = await buildQueryService(config, { logger, registry });
  const { clientStallMs } = config;
  const listener = await listen(service.app, '127.0.0.1', port, { clientStallMs });
  return {
    url: `http://127.0.0.1:${listener.port}`,
    registry,
    stop: async (graceMs = 0) => {
      service.stopping?.();
      await listener.close(graceMs);
      await service.close(graceMs);
    },
  };
}
