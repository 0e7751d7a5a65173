import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { access, constants, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { repositoryRoot } from '../../services/shared/repository-root.ts';
import { freePorts } from '../support/free-ports.ts';
import { waitUntil } from '../support/wait-until.ts';

export interface Garage {
  readonly version: string;
  readonly endpoint: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  stop(): Promise<void>;
}

/** That of the compose file. */
export const garageVersion = '2.5.0';

/** The given program, or garage in the PATH or where `cargo install` writes it; undefined if there is none. */
export async function findGarage(given = ''): Promise<string | undefined> {
  if (given !== '') {
    await access(given, constants.X_OK);
    return given;
  }
  const folders = [...(process.env.PATH ?? '').split(delimiter), join(homedir(), '.cargo/bin')];
  for (const folder of folders) {
    const program = join(folder, 'garage');
    const isProgram = await access(program, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isProgram) return program;
  }
  return undefined;
}

/** A Garage server on loopback with an empty bucket, started as by the compose file. Its data is removed when it stops. */
export async function startGarage(program: string, bucket = 'netpanel-test'): Promise<Garage> {
  const { stdout } = await promisify(execFile)(program, ['--version']);
  const folder = await mkdtemp(join(tmpdir(), 'netpanel-garage-'));
  const [port, rpcPort] = (await freePorts(2)) as [number, number];
  // "GK" and 12 bytes; 32 bytes.
  const accessKeyId = 'GK6e657470616e656c00000000';
  const secretAccessKey = randomBytes(32).toString('hex');
  const configFile = join(folder, 'garage.toml');
  const config = await readFile(join(repositoryRoot, 'deploy/docker/garage.toml'), 'utf8');
  await writeFile(
    configFile,
    config
      .replaceAll('/var/lib/garage', folder)
      .replace('[::]:3900', `127.0.0.1:${port}`)
      .replaceAll('127.0.0.1:3901', `127.0.0.1:${rpcPort}`),
  );
  const env = {
    GARAGE_CONFIG_FILE: configFile,
    GARAGE_RPC_SECRET: secretAccessKey,
    GARAGE_DEFAULT_ACCESS_KEY: accessKeyId,
    GARAGE_DEFAULT_SECRET_KEY: secretAccessKey,
    GARAGE_DEFAULT_BUCKET: bucket,
    RUST_LOG: 'garage=warn',
  };
  const server = spawn(program, ['server', '--single-node', '--default-bucket'], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(server, 'close');
  const stop = async () => {
    server.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  const endpoint = `http://127.0.0.1:${port}`;
  try {
    // It refuses requests without a key.
    await waitUntil(async () => (await fetch(endpoint).catch(() => undefined))?.status === 403);
    // The health check of the compose file. The port that it uses opens last.
    const isHealthy = () =>
      promisify(execFile)(program, ['status'], { env }).then(
        () => true,
        () => false,
      );
    await waitUntil(isHealthy);
    const version = /(\d+\.\d+\.\d+)/.exec(stdout)?.[1] ?? stdout.trim();
    return { version, endpoint, bucket, accessKeyId, secretAccessKey, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
