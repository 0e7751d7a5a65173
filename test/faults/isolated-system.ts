import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClickHouseClient } from '@clickhouse/client';
import { localClickHouse } from '../../deploy/local/local-clickhouse.ts';
import { serviceDatabaseUrl } from '../../deploy/local/service-database-url.ts';
import { migrateStores } from '../../deploy/local/fill-stores.ts';
import { startClickHouse } from '../../deploy/local/start-clickhouse.ts';
import { startPostgres } from '../../deploy/local/start-postgres.ts';
import { startService } from '../../deploy/local/start-service.ts';
import { connectClickHouse } from '../../services/shared/clickhouse/connect-clickhouse.ts';
import { connectPostgres, type Database } from '../../services/shared/postgres/connect-postgres.ts';
import { repositoryRoot } from '../../services/shared/repository-root.ts';
import { recoveryMs } from './fault-settings.ts';
import { childrenOf } from '../support/children-of.ts';
import { freePorts } from '../support/free-ports.ts';
import { noRateLimits } from '../support/no-rate-limits.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { StepCounter } from './step-counter.ts';

const systemParts = ['postgres', 'clickhouse', 'metadata', 'query', 'ingest'] as const;
export type SystemPart = (typeof systemParts)[number];

/** Both stores and the services as separate processes that a test can kill. */
export interface IsolatedSystem {
  readonly queryUrl: string;
  readonly metadataUrl: string;
  readonly ingestUrl: string;
  readonly opsUrls: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly stateDir: string;
  readonly database: Database;
  readonly clickhouse: ClickHouseClient;
  /** Messages that the services and commands send to the stores. */
  readonly messages: StepCounter;
  /** kill -9 of the process and its children. */
  kill(part: SystemPart): Promise<void>;
  /** Restarts the part on its existing state, like Kubernetes. */
  start(part: SystemPart): Promise<void>;
  stop(): Promise<void>;
}

interface Running {
  readonly stop: () => Promise<void>;
  readonly pid: number;
}

/** `services`: those to start; default: the query and the metadata service. */
export async function startIsolatedSystem(
  name: string,
  settings: Readonly<Record<string, string>>,
  services: readonly ('query' | 'metadata' | 'ingest')[] = ['metadata', 'query'],
): Promise<IsolatedSystem> {
  const stateDir = join(repositoryRoot, '.local', `${name}-${process.pid}`);
  mkdirSync(stateDir, { recursive: true });
  const [postgres, clickhouse, query, metadata, queryOps, metadataOps, ingest, ingestOps] =
    (await freePorts(8)) as [...Ports];
  const urls = {
    databaseUrl: `postgres://netpanel:netpanel@127.0.0.1:${postgres}/netpanel`,
    clickhouseUrl: `http://127.0.0.1:${clickhouse}`,
  };
  const messages = new StepCounter();
  const onMessage = () => messages.step();
  const postgresProxy = await startTcpProxy(urls.databaseUrl, onMessage);
  const clickhouseProxy = await startTcpProxy(urls.clickhouseUrl, onMessage);
  const env = {
    DATABASE_URL: postgresProxy.url,
    CLICKHOUSE_URL: clickhouseProxy.url,
    QUERY_PORT: String(query),
    METADATA_PORT: String(metadata),
    QUERY_OPS_PORT: String(queryOps),
    METADATA_OPS_PORT: String(metadataOps),
    INGEST_PORT: String(ingest),
    INGEST_OPS_PORT: String(ingestOps),
    EXPORT_FOLDER: join(stateDir, 'exports'),
    EXPORT_LINK_SECRET: 'a secret of the tests, long enough',
    ...noRateLimits,
    ...settings,
  };
  const log = (part: string) => join(stateDir, `${part}.log`);
  const service = (part: 'query' | 'metadata' | 'ingest', opsPort: number) =>
    startService({
      name: part,
      env: {
        PATH: process.env.PATH,
        ...env,
        DATABASE_URL: serviceDatabaseUrl(part, postgresProxy.url),
      },
      opsPort,
      logFile: log(part),
      readyTimeoutMs: recoveryMs,
    });
  const dataDir = join(stateDir, 'postgres');
  const starters: Record<SystemPart, () => Promise<Running>> = {
    postgres: () => startPostgres({ port: postgres, dataDir, onLog: () => undefined }),
    clickhouse: () =>
      startClickHouse({
        port: clickhouse,
        logFile: log('clickhouse'),
        dataDir: join(stateDir, 'clickhouse'),
      }),
    metadata: () => service('metadata', metadataOps),
    query: () => service('query', queryOps),
    ingest: () => service('ingest', ingestOps),
  };
  const running = new Map<SystemPart, Running>();
  const start = async (part: SystemPart) => {
    running.set(part, await starters[part]());
  };
  await Promise.all([start('postgres'), start('clickhouse')]);
  await migrateStores(urls);
  await Promise.all(services.map(start));
  const database = connectPostgres(urls.databaseUrl, 4, 'netpanel-faults');
  const client = connectClickHouse(localClickHouse(urls.clickhouseUrl), 'netpanel-faults');

  return {
    queryUrl: `http://127.0.0.1:${query}`,
    metadataUrl: `http://127.0.0.1:${metadata}`,
    ingestUrl: `http://127.0.0.1:${ingest}`,
    opsUrls: [`http://127.0.0.1:${queryOps}`, `http://127.0.0.1:${metadataOps}`],
    env,
    stateDir,
    database,
    clickhouse: client,
    messages,
    start,
    kill: async (part) => {
      const { pid } = running.get(part)!;
      running.delete(part);
      await killAll(pid);
    },
    stop: async () => {
      await client.close();
      await database.destroy();
      for (const part of systemParts.toReversed()) await running.get(part)?.stop();
      await Promise.all([postgresProxy.stop(), clickhouseProxy.stop()]);
      await rm(stateDir, { recursive: true, force: true });
    },
  };
}

type Ports = readonly [number, number, number, number, number, number, number, number];

/** Kills the children too, like the end of a container. Postgres' children outlive their parent briefly. */
async function killAll(pid: number): Promise<void> {
  const children = childrenOf(pid);
  for (const one of [pid, ...children]) process.kill(one, 'SIGKILL');
  // The last thread may still hold the port after the process was killed.
  while (existsSync(`/proc/${pid}`) || children.some(isAlive))
    await new Promise((resolve) => setTimeout(resolve, 10));
}

// A zombie is dead, but has not been reaped by its parent.
function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
