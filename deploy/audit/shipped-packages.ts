import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../services/shared/repository-root.ts';

export interface ShippedPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX identifier; `unknown` if the package has none. */
  readonly licence: string;
}

/** The packages in the image: those that `npm ci --omit=dev` installs from the lock file. */
export function shippedPackages(): readonly ShippedPackage[] {
  const { packages } = readJson('package-lock.json') as { packages: Record<string, LockEntry> };
  return Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && dev !== true)
    .map(([path, { version, license }]) => ({
      name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version,
      licence: license ?? oldLicences(path),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

interface LockEntry {
  readonly version: string;
  readonly dev?: boolean;
  readonly license?: string;
}

/** Old packages have `"licenses": [{ "type": "MIT" }]`, which is not in the lock file. */
function oldLicences(path: string): string {
  const { licenses } = readJson(join(path, 'package.json')) as {
    licenses?: readonly { type?: string }[];
  };
  return licenses?.map(({ type = 'unknown' }) => type).join(' OR ') ?? 'unknown';
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(join(repositoryRoot, path), 'utf8'));
}
