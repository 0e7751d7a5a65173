import { join } from 'node:path';
import { repositoryRoot } from '../../../../../services/shared/repository-root.ts';

/** The folder with the engine's package.json; not in dist/, from which this code runs. */
export const enginePackage = join(repositoryRoot, 'deploy/local/clickhouse/engines/native');
