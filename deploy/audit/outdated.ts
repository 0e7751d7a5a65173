import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { repositoryRoot } from '../../services/shared/repository-root.ts';
import { heldBack } from './held-back.ts';
import { type OutdatedPackage, outdatedTable } from './outdated-table.ts';

// `make outdated`: the direct dependencies that have a newer version, and what holds each back. The exit code is 1 if one
// is held back without a reason in held-back.ts.

const folders = [
  '.',
  'deploy/local/clickhouse/engines/native',
  'deploy/local/clickhouse/engines/wasm',
];
const { text, unexplained } = outdatedTable(folders.flatMap(outdatedPackages), heldBack);
process.stdout.write(text);
process.exit(unexplained.length === 0 ? 0 : 1);

/** npm's exit code is 1 if it finds one. */
function outdatedPackages(folder: string): readonly OutdatedPackage[] {
  const { stdout, stderr } = spawnSync('npm', ['outdated', '--json'], {
    cwd: join(repositoryRoot, folder),
    encoding: 'utf8',
  });
  const { error, ...found } = JSON.parse(stdout || '{}') as { error?: { summary: string } };
  if (error !== undefined) throw new Error(`npm outdated in ${folder}: ${error.summary || stderr}`);
  const packages = found as Readonly<Record<string, Omit<OutdatedPackage, 'name'>>>;
  return Object.entries(packages).map(([name, versions]) => ({ name, ...versions }));
}
