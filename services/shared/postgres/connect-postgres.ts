import type { Socket } from 'node:net';
import knex, { type Knex } from 'knex';
import pg from 'pg';

export type Database = Knex;

// Postgres' bigint (20) comes as text by default, to be safe beyond 2^53. Our bigints are ids and
// counts that stay far below it, and a unit_id must be a JSON number.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** `socketTimeoutMs`: how long a statement may go without an answer; 0, for the command line, is for ever. */
export function connectPostgres(
  databaseUrl: string,
  poolMax: number,
  name: string,
  socketTimeoutMs = 0,
): Database {
  return knex({
    client: 'pg',
    connection: {
      connectionString: databaseUrl,
      application_name: name,
      connectionTimeoutMillis: connectTimeoutMs,
      // The other end of the same: a lock that a lost connection holds would stop everybody.
      ...(socketTimeoutMs === 0 ? {} : { idle_in_transaction_session_timeout: socketTimeoutMs }),
    },
    pool: {
      min: 0,
      max: poolMax,
      afterCreate: (client: RawClient, done: (error: null, client: RawClient) => void) => {
        endWhenSilent(client, socketTimeoutMs);
        done(null, client);
      },
    },
    // Errors are thrown and logged by the caller; knex's own log lines are not JSON.
    log: { warn: () => undefined },
    // A request waits this long for a free connection before it fails as "temporarily unavailable".
    acquireConnectionTimeout: 10_000,
  });
}

/** Less than a request waits for a connection, so that it meets the reason and not the wait. */
const connectTimeoutMs = 8_000;

/** What is used of pg's Client beyond its types. */
interface RawClient {
  readonly readyForQuery: boolean;
  readonly connection: { readonly stream: Socket };
}

/**
 * A connection that a firewall has forgotten stays open and brings nothing more: without this, the
 * statement on it would wait for ever, and so would its place in the pool. One that waits for no
 * answer, such as the publisher's lock, may be silent as long as it likes.
 */
function endWhenSilent(client: RawClient, socketTimeoutMs: number): void {
  const { stream } = client.connection;
  stream.setTimeout(socketTimeoutMs);
  // Not as the callback of setTimeout, which hears of the first silence only.
  stream.on('timeout', () => {
    if (client.readyForQuery) return;
    const error = new Error(`Postgres has not answered for ${socketTimeoutMs} ms`);
    stream.destroy(Object.assign(error, { code: 'ETIMEDOUT' }));
  });
}
