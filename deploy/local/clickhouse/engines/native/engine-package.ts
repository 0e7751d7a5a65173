import { join } from 'node:path';
import { repositoryRoot } from '../../../../../services/shared/repository-root.ts';

/** The folder whose package.json and lock file install the engine; the code here runs from dist/. */
export const enginePackage = join(repositoryRoot, 'deploy/local/clickhouse/engines/native');
