import type { Router } from 'express';
import {
  authenticate,
  hasKnownToken,
  type TokenLookup,
  type TokenReader,
} from './http/authenticate.ts';
import type { commonSettings, serverSettings } from './config/common-settings.ts';
import type { SettingValues } from './config/read-settings.ts';
import { openApiContract } from './http/openapi-contract.ts';
import { requestMetrics } from './http/request-metrics.ts';
import { serviceApp } from './http/service-app.ts';
import type { Database } from './postgres/connect-postgres.ts';
import { PostgresClock } from './postgres/postgres-clock.ts';
import { connectPostgresPools, type PoolOptions } from './postgres/postgres-pools.ts';
import { rateLimits } from './rate-limit/rate-limits.ts';
import type { Service, ServiceTools } from './run-service.ts';
import type { Dependency } from './http/dependency.ts';

interface BaseParts<Purpose extends string> {
  readonly name: 'query' | 'metadata' | 'ingest';
  readonly config: SettingValues<typeof commonSettings & typeof serverSettings>;
  readonly tools: ServiceTools;
  /** Connections in addition to those for authentication and requests. */
  readonly pools: Readonly<Record<Purpose, PoolOptions>>;
  readonly tokensOf: (access: Database) => TokenLookup;
  readonly readToken: TokenReader;
  readonly pendingMigrations: (database: Database) => Promise<readonly string[]>;
}

/** What every service has: its connections to Postgres, its clock, its contract and the limits of clients. */
export function serviceBase<Purpose extends string>({
  name,
  config,
  tools,
  pools: further,
  tokensOf,
  readToken,
  pendingMigrations,
}: BaseParts<Purpose>) {
  const { logger, registry } = tools;
  const postgres = connectPostgresPools<Purpose | 'access' | 'requests'>(
    config,
    `netpanel-${name}`,
    {
      access: { max: config.databaseAccessPoolMax, seesAllOrganisations: true },
      requests: { max: config.databasePoolMax, seesAllOrganisations: false },
      ...further,
    },
    registry,
  );
  const { access } = postgres.pools;
  const clock = new PostgresClock(access, { maxSkewMs: config.maxClockSkewMs, logger, registry });
  const tokens = tokensOf(access);
  const limits = rateLimits({
    config,
    hasKnownToken: hasKnownToken(tokens, readToken),
    logger,
    registry,
  });
  return {
    pools: postgres.pools,
    clock,
    contract: openApiContract(name, config),
    /** Before everything else. */
    byAddress: limits.byAddress,
    /** Sets the caller, and limits its requests. */
    authenticated: [limits.failures, authenticate(tokens, readToken), ...limits.byToken],
    /** The service with these routes. `close` ends the work that this service adds to the base. */
    serve: (routes: Router, { dependencies, close, ...rest }: Omit<Service, 'app'>): Service => {
      const measure = requestMetrics(registry);
      clock.start();
      return {
        app: serviceApp({ logger, measure, routes, trustProxy: config.trustProxy }),
        dependencies: [
          postgresDependency(access, pendingMigrations),
          clock.dependency,
          ...dependencies,
        ],
        ...rest,
        close: async (graceLeftMs) => {
          clock.stop();
          await close(graceLeftMs);
          await postgres.destroy();
        },
      };
    },
  };
}

function postgresDependency(
  database: Database,
  pendingMigrations: (database: Database) => Promise<readonly string[]>,
): Dependency {
  return {
    name: 'postgres',
    required: true,
    check: async () => {
      const pending = await pendingMigrations(database);
      if (pending.length > 0) throw new Error(`not migrated: ${pending.join(', ')}`);
      return { lagSeconds: await replayLagS(database) };
    },
  };
}

/** The replay lag if the server is a standby, otherwise 0. */
async function replayLagS(database: Database): Promise<number> {
  const { rows } = await database.raw<{ rows: [{ lagS: number }] }>(
    `select case when pg_is_in_recovery()
       then coalesce(extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()), 0)
       else 0 end::float8 as "lagS"`,
  );
  return rows[0].lagS;
}
