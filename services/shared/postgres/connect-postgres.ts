import type { Socket } from 'node:net';
import knex, { type Knex } from 'knex';
import pg from 'pg';

export type Database = Knex;

// pg returns bigint as a string by default. Ours are ids and counts, which are easier to use as numbers.
// Only a stored unit_id may be above 2^53: it stays a string, because a number would have other digits.
pg.types.setTypeParser(pg.types.builtins.INT8, (digits) => {
  const value = Number(digits);
  return Number.isSafeInteger(value) ? value : digits;
});

interface ConnectOptions {
  /** How long a statement may wait for a response; 0, for the CLI: no timeout. */
  readonly socketTimeoutMs?: number;
  /** A statement that every new connection runs first. */
  readonly onConnect?: string;
}

export function connectPostgres(
  databaseUrl: string,
  poolMax: number,
  name: string,
  { socketTimeoutMs = 0, onConnect }: ConnectOptions = {},
): Database {
  return knex({
    client: 'pg',
    connection: {
      connectionString: databaseUrl,
      application_name: name,
      connectionTimeoutMillis: connectTimeoutMs,
      // The same timeout on the server: a lost connection must not hold its locks.
      ...(socketTimeoutMs === 0 ? {} : { idle_in_transaction_session_timeout: socketTimeoutMs }),
    },
    pool: {
      min: 0,
      max: poolMax,
      afterCreate: (client: RawClient, done: Done) => {
        closeOnTimeout(client, socketTimeoutMs);
        if (onConnect === undefined) done(null, client);
        else client.query(onConnect, (error) => done(error, client));
      },
    },
    // Errors are thrown and logged by the caller; knex's own log lines are not JSON.
    log: { warn: () => undefined },
    // How long a request waits for a free connection before it fails with SERVICE_UNAVAILABLE.
    acquireConnectionTimeout: 10_000,
  });
}

/** Less than acquireConnectionTimeout, so that the error is the reason and not the wait. */
const connectTimeoutMs = 8_000;

/** Fields of pg's Client that its types do not declare. */
interface RawClient {
  readonly readyForQuery: boolean;
  readonly connection: { readonly stream: Socket };
  query(statement: string, done: (error: Error | null) => void): void;
}

type Done = (error: Error | null, client: RawClient) => void;

/**
 * A firewall may drop a connection without closing it. Without this timeout, a statement on it would
 * wait forever and occupy its place in the pool. Connections without a running statement, such as the
 * one that holds the publisher's lock, have no timeout.
 */
function closeOnTimeout(client: RawClient, socketTimeoutMs: number): void {
  const { stream } = client.connection;
  stream.setTimeout(socketTimeoutMs);
  // Not as the callback of setTimeout, which is called only once.
  stream.on('timeout', () => {
    if (client.readyForQuery) return;
    const error = new Error(`No response from Postgres for ${socketTimeoutMs} ms`);
    stream.destroy(Object.assign(error, { code: 'ETIMEDOUT' }));
  });
}
