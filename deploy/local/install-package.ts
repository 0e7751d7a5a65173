import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * Installs the package of an engine from its lock file, if it is not installed. The complete result is
 * renamed into place, so concurrent processes never see an incomplete package.
 */
export async function installPackage(folder: string): Promise<void> {
  if (await isInstalled(folder)) return;
  const workFolder = await mkdtemp(join(folder, '.install-'));
  try {
    for (const file of ['package.json', lockFile, '.npmrc']) {
      await cp(join(folder, file), join(workFolder, file));
    }
    await npmCi(workFolder, folder);
    await cp(join(folder, lockFile), join(workFolder, installedLockFile));
    await moveIntoPlace(workFolder, folder);
  } finally {
    await rm(workFolder, { recursive: true, force: true });
  }
}

const lockFile = 'package-lock.json';
// A copy of the installed lock file. File times are not reliable after a git checkout.
const installedLockFile = 'node_modules/.installed-from.json';

async function isInstalled(folder: string): Promise<boolean> {
  const installed = await readFile(join(folder, installedLockFile), 'utf8').catch(() => undefined);
  return installed === (await readFile(join(folder, lockFile), 'utf8'));
}

async function npmCi(workFolder: string, folder: string): Promise<void> {
  try {
    await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--loglevel=error'], {
      cwd: workFolder,
    });
  } catch (error) {
    const output =
      error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
    throw new Error(`npm could not install ${folder}: ${output.trim()}`, {
      cause: error,
    });
  }
}

// A folder cannot be renamed over a non-empty one, so the first process wins and the others use its
// result. An outdated installation is moved away first.
async function moveIntoPlace(workFolder: string, folder: string): Promise<void> {
  const source = join(workFolder, 'node_modules');
  const target = join(folder, 'node_modules');
  try {
    await rename(source, target);
  } catch {
    if (await isInstalled(folder)) return;
    await rename(target, join(workFolder, 'outdated'));
    await rename(source, target);
  }
}
