import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { repositoryRoot } from '../../services/shared/repository-root.ts';
import { findMinio, startMinio } from './start-minio.ts';

// `make test-minio`: runs the tests that use an object store against a real MinIO server instead of the S3 server
// in this repository.
//   make test-minio MINIO=/path/to/minio

const tests = [
  'integration/exports/stores',
  'integration/exports/faults',
  'integration/cli/watch-s3',
];

const program = await findMinio(process.env.MINIO);
if (program === undefined) {
  process.stdout.write(
    'Not run: MinIO is not installed. Set MINIO to its program, or build the version of deploy/docker/compose.yaml:\n' +
      '  go install github.com/minio/minio@RELEASE.2025-09-07T16-13-09Z\n',
  );
  process.exit(0);
}

const minio = await startMinio(program);
process.stdout.write(`MinIO ${minio.version} at ${minio.endpoint}\n`);
try {
  process.exitCode = await run({
    TEST_S3_ENDPOINT: minio.endpoint,
    TEST_S3_BUCKET: minio.bucket,
    TEST_S3_ACCESS_KEY_ID: minio.accessKeyId,
    TEST_S3_SECRET_ACCESS_KEY: minio.secretAccessKey,
    TEST_S3_CHECKSUMS: 'when_supported',
  });
} finally {
  await minio.stop();
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
