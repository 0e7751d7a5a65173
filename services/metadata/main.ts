import { runService } from '../shared/run-service.ts';
import { readMetadataConfig } from './config.ts';

await runService({
  name: 'metadata',
  readConfig: readMetadataConfig,
  load: async () => (await import('./build-metadata-service.ts')).buildMetadataService,
});
