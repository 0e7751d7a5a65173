import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { repositoryRoot } from '../../services/shared/repository-root.ts';
import { findGarage, garageVersion, startGarage } from './start-garage.ts';

// `make test-garage`: runs the tests that use an object store against a real Garage server, the store of the compose file,
// instead of the S3 server that npm has.
//   make test-garage GARAGE=/path/to/garage

const tests = [
  'integration/exports/stores',
  'integration/exports/faults',
  'integration/cli/watch-s3',
  'integration/operations/compose-wiring',
];

const program = await findGarage(process.env.GARAGE);
if (program === undefined) {
  process.stdout.write(
    'Not run: Garage is not installed. Set GARAGE to its program, or build the version of deploy/docker/compose.yaml:\n' +
      `  cargo install garage@${garageVersion} --locked --no-default-features --features bundled-libs,sqlite\n`,
  );
  process.exit(0);
}

const garage = await startGarage(program);
process.stdout.write(`Garage ${garage.version} at ${garage.endpoint}\n`);
try {
  process.exitCode = await run({
    TEST_S3_ENDPOINT: garage.endpoint,
    TEST_S3_BUCKET: garage.bucket,
    TEST_S3_ACCESS_KEY_ID: garage.accessKeyId,
    TEST_S3_SECRET_ACCESS_KEY: garage.secretAccessKey,
    TEST_S3_CHECKSUMS: 'when_supported',
  });
} finally {
  await garage.stop();
}

function run(settings: Readonly<Record<string, string>>): Promise<number> {
  const runner = join(repositoryRoot, 'dist/test/run.js');
  const wanted = process.argv.slice(2);
  const args = ['--enable-source-maps', runner, ...(wanted.length > 0 ? wanted : tests)];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...settings },
    stdio: 'inherit',
  });
  return new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)));
}
