import { randomBytes } from 'node:crypto';
import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type EnvFile, readEnvFile, writeEnvFile } from '../../services/shared/config/env-file.ts';
import { fillStores, migrateStores } from './fill-stores.ts';
import { snapshotInUse } from './snapshot-in-use.ts';
import { refusePortsInUse, type StackOptions } from './stack-options.ts';
import { startClickHouse } from './start-clickhouse.ts';
import { startPostgres } from './start-postgres.ts';
import { startService } from './start-service.ts';
import { StartedParts } from './started-parts.ts';

export interface Stack {
  /** What `.local/env` holds. */
  readonly env: EnvFile;
  /** Rejects when a service ends that nobody stopped. */
  readonly broken: Promise<never>;
  stop(): Promise<void>;
}

export interface EngineUrls {
  readonly clickhouseUrl: string;
  readonly databaseUrl: string;
}

/** Says what is being done, for the person who waits. */
export type Tell = (line: string) => void;

/** Engines, schema, then the sample panel and the services: each when the one before it stands. */
export async function startStack(options: StackOptions, tell: Tell): Promise<Stack> {
  await refusePortsInUse(options.ports);
  mkdirSync(join(options.stateDir, 'log'), { recursive: true });
  const parts = new StartedParts();
  try {
    tell('Starting Postgres and ClickHouse');
    const engines = await startEngines(options, parts);
    tell('Migrating');
    await migrateStores(engines);
    const envFile = join(options.stateDir, 'env');
    const earlier = readEnvFile(envFile);
    const exports = exportSettings(options, earlier);
    // The services need the schema and not the data: they start while that is being made.
    tell('Loading the sample panel and starting the services');
    const [tokens] = await Promise.all([
      fillStores(options, engines, earlier),
      startServices(options, engines, exports, parts),
    ]);
    await snapshotInUse(engines.clickhouseUrl);
    const env = { ...addresses(options, engines), ...tokens, ...exports };
    writeEnvFile(envFile, env);
    return { env, broken: parts.broken, stop: () => parts.stop() };
  } catch (error) {
    await parts.stop();
    throw error;
  }
}

async function startEngines(options: StackOptions, parts: StartedParts): Promise<EngineUrls> {
  const { ports, stateDir } = options;
  const postgresLog = createWriteStream(logFile(options, 'postgres'), { flags: 'a' });
  const [postgres, clickhouse] = await Promise.all([
    parts.add(
      startPostgres({
        port: ports.postgres,
        dataDir: join(stateDir, 'postgres'),
        onLog: (line) => postgresLog.write(`${line}\n`),
      }),
    ),
    parts.add(startClickHouse({ port: ports.clickhouse, logFile: logFile(options, 'clickhouse') })),
  ]);
  return { clickhouseUrl: clickhouse.url, databaseUrl: postgres.url };
}

async function startServices(
  options: StackOptions,
  engines: EngineUrls,
  exports: EnvFile,
  parts: StartedParts,
): Promise<void> {
  const { ports } = options;
  const env = {
    // Settings given by hand reach the services too: LOG_LEVEL=debug make run
    ...process.env,
    CLICKHOUSE_URL: engines.clickhouseUrl,
    DATABASE_URL: engines.databaseUrl,
    QUERY_PORT: String(ports.query),
    METADATA_PORT: String(ports.metadata),
    QUERY_OPS_PORT: String(ports.queryOps),
    METADATA_OPS_PORT: String(ports.metadataOps),
    EXPLORER_METADATA_URL: `http://127.0.0.1:${ports.metadata}`,
    CORS_ORIGINS: `http://127.0.0.1:${ports.query},http://localhost:${ports.query}`,
    ...exports,
  };
  for (const [name, opsPort] of [
    ['metadata', ports.metadataOps],
    ['query', ports.queryOps],
  ] as const) {
    const service = await parts.add(
      startService({ name, env, opsPort, logFile: logFile(options, name) }),
    );
    parts.watch(service.ended, `The ${name} service ended: see ${logFile(options, name)}`);
  }
}

/** Exports go to a folder of the stack's own; links of an earlier run go on working. */
function exportSettings({ stateDir }: StackOptions, earlier: EnvFile): EnvFile {
  const kept = process.env.EXPORT_LINK_SECRET ?? earlier.EXPORT_LINK_SECRET;
  return {
    EXPORT_FOLDER: join(stateDir, 'exports'),
    EXPORT_LINK_SECRET: kept ?? randomBytes(32).toString('hex'),
  };
}

function addresses({ ports }: StackOptions, { clickhouseUrl, databaseUrl }: EngineUrls): EnvFile {
  const scheme = process.env.TLS_CERT_FILE ? 'https' : 'http';
  return {
    QUERY_URL: `${scheme}://127.0.0.1:${ports.query}`,
    METADATA_URL: `${scheme}://127.0.0.1:${ports.metadata}`,
    QUERY_OPS_URL: `http://127.0.0.1:${ports.queryOps}`,
    METADATA_OPS_URL: `http://127.0.0.1:${ports.metadataOps}`,
    CLICKHOUSE_URL: clickhouseUrl,
    DATABASE_URL: databaseUrl,
  };
}

function logFile({ stateDir }: StackOptions, name: string): string {
  return join(stateDir, 'log', `${name}.log`);
}
