import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../services/shared/repository-root.ts';

/** The package.json of the client package: netpanel's version, one dependency. */
export function clientManifest() {
  const { version, license, dependencies } = JSON.parse(
    readFileSync(join(repositoryRoot, 'package.json'), 'utf8'),
  ) as { version: string; license: string; dependencies: Record<string, string> };
  return {
    name: 'netpanel-client',
    version,
    description: 'Typed client of the netpanel data, metadata and ingestion interfaces.',
    license,
    type: 'module',
    // Not the tarball of an earlier run.
    files: ['*.js', '*.d.ts'],
    exports: { '.': { types: './index.d.ts', default: './index.js' } },
    dependencies: { 'openapi-fetch': dependencies['openapi-fetch'] },
    engines: { node: '>=20' },
  };
}
