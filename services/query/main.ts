import { runService } from '../shared/run-service.ts';
import { buildQueryService } from './build-query-service.ts';
import { readQueryConfig } from './config.ts';

await runService({ name: 'query', readConfig: readQueryConfig, build: buildQueryService });
