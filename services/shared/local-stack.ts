import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { productVersion } from './product-version.ts';
import { repositoryRoot } from './repository-root.ts';

interface LocalStackPlace {
  /** Databases, object store, logs and the file `env` of the local stack. */
  readonly folder: string;
  /** The folder and the command `up` or `down`, for messages. */
  readonly shownFolder: string;
  readonly command: string;
}

/**
 * The local stack of a checkout is in its folder .local. That of the package netpanel-local is in the home
 * folder, as the package itself (deploy/release/netpanel.cjs).
 */
export const localStack: LocalStackPlace = existsSync(join(repositoryRoot, 'Makefile'))
  ? { folder: join(repositoryRoot, '.local'), shownFolder: '.local', command: 'make' }
  : {
      folder: join(homedir(), '.netpanel'),
      shownFolder: '~/.netpanel',
      command: `npx ./netpanel-local-${productVersion()}.tgz`,
    };
