import { runService } from '../shared/run-service.ts';
import { buildMetadataService } from './build-metadata-service.ts';
import { readMetadataConfig } from './config.ts';

await runService({ name: 'metadata', readConfig: readMetadataConfig, build: buildMetadataService });
