import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';
import { serviceNames } from '../contract.ts';
import { startCurrentPanel } from '../../support/current-panel.ts';

// `make schemathesis`: tests the services with Schemathesis, which generates requests from the contracts. Not
// part of `make test`, because it is a Python program. Uses a stack of its own, whose metadata it changes.
//   make schemathesis SCHEMATHESIS=/path/to/schemathesis EXAMPLES=100 SEED=1

const program = process.env.SCHEMATHESIS ?? 'schemathesis';
const installed = spawnSync(program, ['--version'], { encoding: 'utf8' });
if (installed.status !== 0) {
  process.stderr.write(
    `Schemathesis was not found (${program}). Install it with "python3 -m venv DIR && ` +
      'DIR/bin/pip install schemathesis" and set SCHEMATHESIS=DIR/bin/schemathesis.\n',
  );
  process.exit(2);
}
process.stdout.write(installed.stdout);

const hooks = join(repositoryRoot, 'test/security/schemathesis/line_formats.py');
const workFolder = join(repositoryRoot, '.local/schemathesis');
mkdirSync(workFolder, { recursive: true });
// The tool starts many exports and does not wait for their end.
const panel = await startCurrentPanel('schemathesis', {
  MAX_RUNNING_EXPORTS: '200',
  MAX_RUNNING_EXPORTS_TOTAL: '400',
});
let failed = false;
try {
  for (const service of serviceNames) {
    const { url, authorization } = panel[service];
    process.stdout.write(`\n=== The ${service} service\n`);
    failed = (await run(url, authorization)) !== 0 || failed;
  }
} finally {
  await panel.stop();
}
process.exit(failed ? 1 : 0);

function run(url: string, authorization: string): Promise<number | null> {
  const config = join(repositoryRoot, 'test/security/schemathesis/schemathesis.toml');
  const child = spawn(
    program,
    [
      ...['--config-file', config, 'run', `${url}/openapi.yaml`],
      ...['--header', `Authorization: ${authorization}`],
      ...['--max-examples', process.env.EXAMPLES ?? '50', '--seed', process.env.SEED ?? '1'],
      ...['--report', 'json', '--report-dir', workFolder],
    ],
    // The tool keeps failed requests in its working folder.
    {
      cwd: workFolder,
      env: { ...process.env, SCHEMATHESIS_HOOKS: hooks },
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  return new Promise((resolve) => child.once('close', resolve));
}
