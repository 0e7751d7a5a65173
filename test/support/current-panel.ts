import { rm } from 'node:fs/promises';
import { spawnSupervisor } from '../../deploy/local/spawn-supervisor.ts';
import type { EnvFile } from '../../services/shared/config/env-file.ts';
import { connectPostgres, type Database } from '../../services/shared/postgres/connect-postgres.ts';
import { findOrganisation } from '../../services/registry/organisations/organisations.ts';
import { newStackOptions } from './local-stack.ts';
import { newTenantToken } from './tenant.ts';

/** A separate stack whose sample panel ends in the current hour, as with `make run`. */
export interface CurrentPanel {
  readonly env: EnvFile;
  readonly database: Database;
  /** Base address and a token with every scope, of the sample organisation `demo`. */
  readonly query: PanelInterface;
  readonly metadata: PanelInterface;
  readonly ingest: PanelInterface;
  stop(): Promise<void>;
}

interface PanelInterface {
  readonly url: string;
  /** The value of the header `Authorization`. */
  readonly authorization: string;
}

interface PanelOptions {
  /** Default: all days of the sample panel. */
  readonly sampleResultDays?: number;
}

export async function startCurrentPanel(
  name: string,
  settings: EnvFile = {},
  panel: PanelOptions = {},
): Promise<CurrentPanel> {
  const ordinary = await newStackOptions(name);
  const options = {
    ...ordinary,
    ...panel,
    sampleEndsAt: startOfHour(new Date()),
    settings: { ...ordinary.settings, ...settings },
  };
  const supervised = await spawnSupervisor(options, () => undefined);
  const { env } = supervised;
  const database = connectPostgres(env.DATABASE_URL ?? '', 2, 'netpanel-test');
  const demo = await findOrganisation(database, 'demo');
  const dataToken = await newTenantToken(database, demo, 'data');
  return {
    env,
    database,
    query: { url: env.QUERY_URL ?? '', authorization: dataToken },
    ingest: { url: env.INGEST_URL ?? '', authorization: `Bearer ${dataToken}` },
    metadata: {
      url: env.METADATA_URL ?? '',
      authorization: `Bearer ${await newTenantToken(database, demo, 'metadata')}`,
    },
    stop: async () => {
      await database.destroy();
      await supervised.stop();
      await rm(options.stateDir, { recursive: true, force: true });
    },
  };
}

function startOfHour(now: Date): string {
  return new Date(Math.floor(now.getTime() / 3_600_000) * 3_600_000).toISOString();
}
