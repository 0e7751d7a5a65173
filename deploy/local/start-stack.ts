import { randomBytes } from 'node:crypto';
import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type EnvFile, readEnvFile, writeEnvFile } from '../../services/shared/config/env-file.ts';
import { fillStores, migrateStores } from './fill-stores.ts';
import { endLeftovers, ProcessRecord } from './process-record.ts';
import { snapshotInUse } from './snapshot-in-use.ts';
import { refusePortsInUse, type StackOptions } from './stack-options.ts';
import { startPostgres } from './start-postgres.ts';
import { startService } from './start-service.ts';
import { tellOfDamage } from './tell-of-damage.ts';
import { StartedParts } from './started-parts.ts';
import { supervisedClickHouse } from './supervised-clickhouse.ts';

export interface Stack {
  /** What `.local/env` holds. */
  readonly env: EnvFile;
  /** Version and engine of ClickHouse. */
  readonly clickhouse: string;
  /** Rejects when a service ends that nobody stopped. */
  readonly broken: Promise<never>;
  stop(): Promise<void>;
}

export interface EngineUrls {
  readonly clickhouseUrl: string;
  readonly databaseUrl: string;
}

interface Engines extends EngineUrls {
  readonly clickhouseDescription: string;
}

/** Says what is being done, for the person who waits. */
export type Tell = (line: string) => void;

/** Engines, schema, then the sample panel and the services: each when the one before it stands. */
export async function startStack(options: StackOptions, tell: Tell): Promise<Stack> {
  mkdirSync(join(options.stateDir, 'log'), { recursive: true });
  await endLeftovers(options.stateDir);
  await refusePortsInUse(options);
  const parts = new StartedParts(ProcessRecord.create(options.stateDir));
  try {
    tell('Starting Postgres and ClickHouse');
    const engines = await startEngines(options, parts, tell);
    tell('Migrating');
    await migrateStores(engines);
    await tellOfDamage(engines.clickhouseUrl, tell);
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
    const { clickhouseDescription: clickhouse } = engines;
    return { env, clickhouse, broken: parts.broken, stop: () => parts.stop() };
  } catch (error) {
    await parts.stop();
    throw error;
  }
}

async function startEngines(
  options: StackOptions,
  parts: StartedParts,
  tell: Tell,
): Promise<Engines> {
  const { ports, stateDir } = options;
  const postgresLog = createWriteStream(logFile(options, 'postgres'), { flags: 'a' });
  const clickhouseLog = logFile(options, 'clickhouse');
  const clickhouseOptions = {
    port: ports.clickhouse,
    dataDir: join(stateDir, 'clickhouse'),
    logFile: clickhouseLog,
  };
  const [postgres, clickhouse] = await Promise.all([
    parts.add(
      startPostgres({
        port: ports.postgres,
        dataDir: join(stateDir, 'postgres'),
        onLog: (line) => postgresLog.write(`${line}\n`),
      }),
    ),
    parts.add(supervisedClickHouse(clickhouseOptions, tell)),
  ]);
  parts.watch(clickhouse.ended, `ClickHouse ended again and again: see ${clickhouseLog}`);
  return {
    clickhouseUrl: clickhouse.url,
    clickhouseDescription: clickhouse.description,
    databaseUrl: postgres.url,
  };
}

async function startServices(
  options: StackOptions,
  engines: EngineUrls,
  exports: EnvFile,
  parts: StartedParts,
): Promise<void> {
  const { ports, dev } = options;
  const pages = dev === undefined ? [ports.query] : [ports.query, dev.explorer];
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
    CORS_ORIGINS: pages.map((port) => `http://127.0.0.1:${port},http://localhost:${port}`).join(),
    ...exports,
  };
  const start = async (name: 'metadata' | 'query', opsPort: number) => {
    const log = logFile(options, name);
    const watch = dev && { inspectPort: dev[`${name}Inspect`] };
    const service = await parts.add(startService({ name, env, opsPort, logFile: log, watch }));
    parts.watch(service.ended, `The ${name} service ended: see ${log}`);
  };
  await Promise.all([start('metadata', ports.metadataOps), start('query', ports.queryOps)]);
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
