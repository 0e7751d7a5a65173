import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Context } from 'mocha';
import { repositoryRoot } from '../../services/shared/repository-root.ts';
import { runProgram } from './run-program.ts';
import { skipBecause } from './skip-because.ts';

/**
 * The Python of a virtual environment with these packages, in `.local`, where the next run finds it. Without Python 3.10
 * or without the packages, for example offline, the tests are skipped.
 */
export async function pythonVenv(context: Context, packages: readonly string[]): Promise<string> {
  await pythonProgram(context);
  const key = createHash('sha256').update(packages.join(' ')).digest('hex').slice(0, 12);
  const folder = join(repositoryRoot, '.local', `python-${key}`);
  if (!existsSync(folder)) await install(context, packages, folder);
  return join(folder, 'bin/python');
}

/** In a folder of this process, because another one may install the same. */
async function install(
  context: Context,
  packages: readonly string[],
  folder: string,
): Promise<void> {
  const own = `${folder}-${process.pid}`;
  mkdirSync(join(folder, '..'), { recursive: true });
  const created = await runProgram('python3', ['-m', 'venv', own]);
  if (created.code !== 0) skipBecause(context, `python3 -m venv failed: ${created.stderr}`);
  const pip = ['-m', 'pip', 'install', '--quiet', ...packages];
  const installed = await runProgram(join(own, 'bin/python'), pip);
  if (installed.code !== 0) {
    rmSync(own, { recursive: true, force: true });
    skipBecause(context, `pip cannot install ${packages.join(' ')}: ${installed.stderr}`);
  }
  // Modules run from any folder (python -m mypy), the programs in bin/ do not.
  if (existsSync(folder)) rmSync(own, { recursive: true, force: true });
  else renameSync(own, folder);
}

/** `python3` of the PATH, of a version that the package supports. */
export async function pythonProgram(context: Context): Promise<string> {
  const { code, stderr } = await runProgram('python3', ['-c', versionCheck]);
  if (code !== 0) skipBecause(context, `Python 3.10 or later is not installed: ${stderr}`);
  return 'python3';
}

const versionCheck = 'import sys; sys.exit(sys.version_info < (3, 10) and "python3 is older")';
