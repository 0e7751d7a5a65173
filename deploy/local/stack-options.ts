import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { EnvFile } from '../../services/shared/config/env-file.ts';
import { readSettings } from '../../services/shared/config/read-settings.ts';
import { setting } from '../../services/shared/config/setting.ts';
import { localStack } from '../../services/shared/local-stack.ts';
import { repositoryRoot } from '../../services/shared/repository-root.ts';

const portSettings = {
  query: setting.port('QUERY_PORT', 'Port of the data interface.', 8080),
  metadata: setting.port('METADATA_PORT', 'Port of the metadata interface.', 8081),
  queryOps: setting.port('QUERY_OPS_PORT', "Port of the query service's health.", 9080),
  metadataOps: setting.port('METADATA_OPS_PORT', "Port of the metadata service's health.", 9081),
  ingest: setting.port('INGEST_PORT', 'Port of the ingestion interface.', 8082),
  ingestOps: setting.port('INGEST_OPS_PORT', "Port of the ingestion service's health.", 9082),
  clickhouse: setting.port('CLICKHOUSE_PORT', 'Port of the local ClickHouse.', 8123),
  postgres: setting.port('POSTGRES_PORT', 'Port of the local Postgres.', 5433),
};

const devPortSettings = {
  explorer: setting.port('EXPLORER_DEV_PORT', "Port of Vite's dev server.", 5173),
  queryInspect: setting.port('QUERY_INSPECT_PORT', 'Debugger port of the query service.', 9229),
  metadataInspect: setting.port(
    'METADATA_INSPECT_PORT',
    'Debugger port of the metadata service.',
    9230,
  ),
  ingestInspect: setting.port(
    'INGEST_INSPECT_PORT',
    'Debugger port of the ingestion service.',
    9231,
  ),
};

type StackPorts = Readonly<Record<keyof typeof portSettings, number>>;
type DevPorts = Readonly<Record<keyof typeof devPortSettings, number>>;

/** Everything that distinguishes one local stack from another. Crosses a process boundary as JSON. */
export interface StackOptions {
  readonly ports: StackPorts;
  /** Folder of the databases, the object store, the logs and the file `env`. */
  readonly stateDir: string;
  /** ISO time of the end of the sample panel. */
  readonly sampleEndsAt: string;
  /** Only the last days of the sample panel have results, for a faster start; default: all. */
  readonly sampleResultDays?: number;
  /** Further settings of the services, by variable. */
  readonly settings?: EnvFile;
  /** Set by `make dev`: the services restart when their code changes, and accept a debugger. */
  readonly dev?: DevPorts;
}

/** The stack of `make run` and `make up`: fixed ports, persistent state, a panel that ends now. */
export function ownStackOptions(): StackOptions {
  return {
    ports: readSettings(portSettings, process.env),
    stateDir: localStack.folder,
    sampleEndsAt: startOfHour(new Date()).toISOString(),
  };
}

/** The same stack for `make dev`. */
export function devStackOptions(): StackOptions & { readonly dev: DevPorts } {
  return { ...ownStackOptions(), dev: readSettings(devPortSettings, process.env) };
}

/** Throws an Error with one line per port in use. */
export async function rejectPortsInUse({ ports, dev }: StackOptions): Promise<void> {
  const settings = { ...portSettings, ...devPortSettings };
  const wanted = Object.entries({ ...ports, ...dev }).map(([name, port]) => ({
    variable: settings[name as keyof typeof settings].name,
    port,
  }));
  const problems = await checkSetup.portsInUse(wanted);
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

/** Plain JavaScript, because make runs it before the build too. */
const checkSetup = createRequire(import.meta.url)(
  join(repositoryRoot, 'deploy/local/check-setup.cjs'),
) as {
  portsInUse(
    wanted: readonly { readonly variable: string; readonly port: number }[],
  ): Promise<readonly string[]>;
};

function startOfHour(now: Date): Date {
  return new Date(Math.floor(now.getTime() / 3_600_000) * 3_600_000);
}
