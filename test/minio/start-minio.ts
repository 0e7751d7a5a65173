import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { access, constants, mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { CreateBucketCommand } from '@aws-sdk/client-s3';
import { freePorts } from '../support/free-ports.ts';
import { s3ClientOf } from '../support/s3-server.ts';
import { waitUntil } from '../support/wait-until.ts';

export interface Minio {
  readonly version: string;
  readonly endpoint: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  stop(): Promise<void>;
}

/** The given program, or minio in the PATH or where `go install` writes it; undefined if there is none. */
export async function findMinio(given = ''): Promise<string | undefined> {
  if (given !== '') {
    await access(given, constants.X_OK);
    return given;
  }
  const folders = [...(process.env.PATH ?? '').split(delimiter), join(homedir(), 'go/bin')];
  for (const folder of folders) {
    const program = join(folder, 'minio');
    const isProgram = await access(program, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isProgram) return program;
  }
  return undefined;
}

/** A MinIO server on loopback with an empty bucket, whose data is removed when it stops. */
export async function startMinio(program: string, bucket = 'netpanel-test'): Promise<Minio> {
  const { stdout } = await promisify(execFile)(program, ['--version']);
  const folder = await mkdtemp(join(tmpdir(), 'netpanel-minio-'));
  const [port, consolePort] = (await freePorts(2)) as [number, number];
  const endpoint = `http://127.0.0.1:${port}`;
  const accessKeyId = 'netpanel';
  const secretAccessKey = randomBytes(16).toString('hex');
  const server = spawn(
    program,
    [
      'server',
      folder,
      '--address',
      `127.0.0.1:${port}`,
      '--console-address',
      `127.0.0.1:${consolePort}`,
    ],
    {
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        MINIO_ROOT_USER: accessKeyId,
        MINIO_ROOT_PASSWORD: secretAccessKey,
        MINIO_BROWSER: 'off',
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  const ended = once(server, 'close');
  const stop = async () => {
    server.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const isReady = async () =>
      (await fetch(`${endpoint}/minio/health/ready`).catch(() => undefined))?.ok === true;
    await waitUntil(isReady);
    const settings = {
      S3_REGION: 'us-east-1',
      S3_ENDPOINT: endpoint,
      S3_PATH_STYLE: 'true',
      S3_ACCESS_KEY_ID: accessKeyId,
      S3_SECRET_ACCESS_KEY: secretAccessKey,
    };
    await s3ClientOf({ settings }).send(new CreateBucketCommand({ Bucket: bucket }));
    const version = /version (\S+)/.exec(stdout)?.[1] ?? stdout.trim();
    return { version, endpoint, bucket, accessKeyId, secretAccessKey, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
