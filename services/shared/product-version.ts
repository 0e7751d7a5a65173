import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from './repository-root.ts';

/** The version of package.json: that of `netpanel --version`, `/version` of the ops ports, contracts and packages. */
export function productVersion(): string {
  const manifest = readFileSync(join(repositoryRoot, 'package.json'), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
