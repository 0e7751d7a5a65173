import { runService } from '../shared/run-service.ts';
import { readQueryConfig } from './config.ts';

await runService({
  name: 'query',
  readConfig: readQueryConfig,
  load: async () => (await import('./build-query-service.ts')).buildQueryService,
});
