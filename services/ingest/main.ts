import { runService } from '../shared/run-service.ts';
import { readIngestConfig } from './config.ts';

await runService({
  name: 'ingest',
  readConfig: readIngestConfig,
  load: async () => (await import('./build-ingest-service.ts')).buildIngestService,
});
