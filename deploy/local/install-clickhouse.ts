import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * Installs the local server's package from its lock file, unless that is done already. The result
 * is moved into place whole, so several starters may do this at once and none sees half of it.
 */
export async function installClickHouse(folder: string): Promise<void> {
  if (await isInstalled(folder)) return;
  const workFolder = await mkdtemp(join(folder, '.install-'));
  try {
    for (const file of ['package.json', lockFile, '.npmrc']) {
      await cp(join(folder, file), join(workFolder, file));
    }
    await npmCi(workFolder);
    await cp(join(folder, lockFile), join(workFolder, installedLockFile));
    await moveIntoPlace(workFolder, folder);
  } finally {
    await rm(workFolder, { recursive: true, force: true });
  }
}

const lockFile = 'package-lock.json';
// A copy of the lock file that was installed from: times of files say little after a git checkout.
const installedLockFile = 'node_modules/.installed-from.json';

async function isInstalled(folder: string): Promise<boolean> {
  const installed = await readFile(join(folder, installedLockFile), 'utf8').catch(() => undefined);
  return installed === (await readFile(join(folder, lockFile), 'utf8'));
}

async function npmCi(folder: string): Promise<void> {
  try {
    await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--loglevel=error'], {
      cwd: folder,
    });
  } catch (error) {
    const output =
      error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
    throw new Error(`The local ClickHouse could not be installed: ${output.trim()}`, {
      cause: error,
    });
  }
}

// Whoever finds the place taken by another starter's result leaves that in use.
async function moveIntoPlace(workFolder: string, folder: string): Promise<void> {
  if (await isInstalled(folder)) return;
  const target = join(folder, 'node_modules');
  await mkdir(join(workFolder, 'old'));
  await rename(target, join(workFolder, 'old/node_modules')).catch(ignoreMissing);
  try {
    await rename(join(workFolder, 'node_modules'), target);
  } catch (error) {
    if (!(await isInstalled(folder))) throw error;
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
