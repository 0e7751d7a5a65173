import { randomBytes } from 'node:crypto';
import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../services/shared/repository-root.ts';
import { type EnvFile, readEnvFile, writeEnvFile } from '../../services/shared/config/env-file.ts';
import { fillStores, migrateStores, type StoreUrls } from './fill-stores.ts';
import { stopLeftovers, ProcessRecord } from './process-record.ts';
import { waitForSnapshot } from './wait-for-snapshot.ts';
import { rejectPortsInUse, type StackOptions } from './stack-options.ts';
import { startClickHouse } from './start-clickhouse.ts';
import { startPostgres } from './start-postgres.ts';
import { serviceDatabaseUrl } from './service-database-url.ts';
import { startService } from './start-service.ts';
import { reportDamagedParts } from './report-damaged-parts.ts';
import { StartedParts } from './started-parts.ts';
import { supervisedEngine } from './supervised-engine.ts';

export interface Stack {
  /** The content of `.local/env`. */
  readonly env: EnvFile;
  /** Version and engine of ClickHouse. */
  readonly clickhouse: string;
  /** Rejects when a service ends unexpectedly. */
  readonly broken: Promise<never>;
  stop(): Promise<void>;
}

interface Engines extends StoreUrls {
  readonly clickhouseDescription: string;
}

/** Prints one line of progress. */
type Report = (line: string) => void;

/** Starts the engines, migrates the schemas, then loads the sample panel and starts the services. */
export async function startStack(options: StackOptions, report: Report): Promise<Stack> {
  mkdirSync(join(options.stateDir, 'log'), { recursive: true });
  await stopLeftovers(options.stateDir);
  await rejectPortsInUse(options);
  const parts = new StartedParts(ProcessRecord.create(options.stateDir));
  try {
    report('Starting Postgres and ClickHouse');
    const engines = await startEngines(options, parts, report);
    report('Migrating');
    await migrateStores(engines);
    await reportDamagedParts(engines.clickhouseUrl, report);
    const envFile = join(options.stateDir, 'env');
    const earlier = readEnvFile(envFile);
    const exports = exportSettings(options, earlier);
    // The services need only the schema, so they start while the data is generated.
    report('Loading the sample panel and starting the services');
    const [tokens] = await Promise.all([
      fillStores(options, engines, earlier),
      startServices(options, engines, exports, parts),
    ]);
    await waitForSnapshot(engines.clickhouseUrl);
    const env = {
      ...addresses(options, engines),
      ...tokens,
      ...exports,
      ...retention,
      ...options.settings,
    };
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
  report: Report,
): Promise<Engines> {
  const { ports, stateDir } = options;
  const postgresLog = logFile(options, 'postgres');
  const postgresLines = createWriteStream(postgresLog, { flags: 'a' });
  const clickhouseLog = logFile(options, 'clickhouse');
  const startRecordedPostgres = async () => {
    const server = await startPostgres({
      port: ports.postgres,
      dataDir: join(stateDir, 'postgres'),
      onLog: (line) => postgresLines.write(`${line}\n`),
    });
    // It does not end with this process.
    parts.record(server.pid);
    return server;
  };
  const startLoggedClickHouse = () =>
    startClickHouse({
      port: ports.clickhouse,
      dataDir: join(stateDir, 'clickhouse'),
      logFile: clickhouseLog,
    });
  const [postgres, clickhouse] = await Promise.all([
    parts.add(supervisedEngine('Postgres', startRecordedPostgres, report)),
    parts.add(supervisedEngine('ClickHouse', startLoggedClickHouse, report)),
  ]);
  parts.watch(postgres.ended, `Postgres exited too often: see ${postgresLog}`);
  parts.watch(clickhouse.ended, `ClickHouse exited too often: see ${clickhouseLog}`);
  return {
    clickhouseUrl: clickhouse.first.url,
    clickhouseDescription: clickhouse.first.description,
    databaseUrl: postgres.first.url,
  };
}

async function startServices(
  options: StackOptions,
  engines: StoreUrls,
  exports: EnvFile,
  parts: StartedParts,
): Promise<void> {
  const { ports, dev, settings } = options;
  const pages = dev === undefined ? [ports.query] : [ports.query, dev.explorer];
  const env = {
    // Passes settings to the services: LOG_LEVEL=debug make run
    ...process.env,
    CLICKHOUSE_URL: engines.clickhouseUrl,
    QUERY_PORT: String(ports.query),
    METADATA_PORT: String(ports.metadata),
    QUERY_OPS_PORT: String(ports.queryOps),
    METADATA_OPS_PORT: String(ports.metadataOps),
    INGEST_PORT: String(ports.ingest),
    INGEST_OPS_PORT: String(ports.ingestOps),
    EXPLORER_METADATA_URL: `http://127.0.0.1:${ports.metadata}`,
    CORS_ORIGINS: pages.map((port) => `http://127.0.0.1:${port},http://localhost:${port}`).join(),
    ...exports,
    ...retention,
    ...sampleMap,
    ...settings,
  };
  const start = async (name: 'metadata' | 'query' | 'ingest', opsPort: number) => {
    const log = logFile(options, name);
    const watch = dev && { inspectPort: dev[`${name}Inspect`] };
    const databaseUrl = serviceDatabaseUrl(name, engines.databaseUrl);
    const service = await parts.add(
      startService({
        name,
        env: { ...env, DATABASE_URL: databaseUrl },
        opsPort,
        logFile: log,
        watch,
      }),
    );
    parts.watch(service.ended, `The ${name} service exited: see ${log}`);
  };
  await Promise.all([
    start('metadata', ports.metadataOps),
    start('query', ports.queryOps),
    start('ingest', ports.ingestOps),
  ]);
}

/** Exports go to a folder of the stack. The link secret is kept, so that old links still work. */
function exportSettings({ stateDir }: StackOptions, earlier: EnvFile): EnvFile {
  const secret = process.env.EXPORT_LINK_SECRET ?? earlier.EXPORT_LINK_SECRET;
  return {
    EXPORT_FOLDER: join(stateDir, 'exports'),
    EXPORT_LINK_SECRET: secret ?? randomBytes(32).toString('hex'),
  };
}

/** Public data that is loaded to try netpanel begins in 2011. */
const retention: EnvFile = {
  RETENTION_RESULTS_DAYS: process.env.RETENTION_RESULTS_DAYS ?? '0',
};

/** The regions of the sample panel, unless a map is given: EXPLORER_MAP_FILE=regions.geojson make run */
const sampleMap: EnvFile = process.env.EXPLORER_MAP_FILE
  ? {}
  : {
      EXPLORER_MAP_FILE: join(repositoryRoot, 'deploy/local/sample/regions.geojson'),
      EXPLORER_MAP_FIELD: 'region',
      EXPLORER_MAP_PROPERTY: 'name',
    };

function addresses({ ports }: StackOptions, { clickhouseUrl, databaseUrl }: StoreUrls): EnvFile {
  const scheme = process.env.TLS_CERT_FILE ? 'https' : 'http';
  return {
    QUERY_URL: `${scheme}://127.0.0.1:${ports.query}`,
    METADATA_URL: `${scheme}://127.0.0.1:${ports.metadata}`,
    INGEST_URL: `${scheme}://127.0.0.1:${ports.ingest}`,
    INGEST_OPS_URL: `http://127.0.0.1:${ports.ingestOps}`,
    QUERY_OPS_URL: `http://127.0.0.1:${ports.queryOps}`,
    METADATA_OPS_URL: `http://127.0.0.1:${ports.metadataOps}`,
    CLICKHOUSE_URL: clickhouseUrl,
    DATABASE_URL: databaseUrl,
  };
}

function logFile({ stateDir }: StackOptions, name: string): string {
  return join(stateDir, 'log', `${name}.log`);
}
