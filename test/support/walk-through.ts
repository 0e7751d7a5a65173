import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repositoryRoot } from '../../services/shared/repository-root.ts';
import type { LocalStack } from './local-stack.ts';

interface WalkThrough {
  /** In docs/panels.md. */
  readonly heading: string;
  readonly organisation: string;
  /** The folder of the published data, which the document has as `../shared/data/<name>`. */
  readonly data: { readonly name: string; readonly folder: string };
}

/** Runs the commands of a walk-through as they are written, with another organisation. */
export async function runWalkThrough(
  stack: LocalStack,
  { heading, organisation, data }: WalkThrough,
): Promise<{ readonly outputs: readonly string[]; readonly documented: readonly string[] }> {
  const text = readFileSync(join(repositoryRoot, 'docs/panels.md'), 'utf8');
  const section = text.split(/^## /m).find((part) => part.startsWith(heading)) ?? '';
  const steps = [...section.matchAll(/```sh\n(.*?)```\n\n```\n(.*?)```/gs)];
  const org = `${organisation}-${randomBytes(4).toString('hex')}`;
  const script = steps
    .map(([, commands = '']) => commands)
    .join(`echo '${separator}'\n`)
    .replace('set -a; . .local/env; set +a\n', '')
    .replaceAll(`../shared/data/${data.name}`, data.folder)
    .replaceAll(`--org ${organisation}`, `--org ${org}`)
    .replaceAll(`org add ${organisation}`, `org add ${org}`);
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: repositoryRoot,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...stack.env },
  });
  return {
    outputs: stdout.replaceAll(org, organisation).split(`${separator}\n`),
    documented: steps.map(([, , output = '']) => output),
  };
}

const separator = '--- next step';
