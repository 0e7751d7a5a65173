import pg from 'pg';
import type { AdvisoryLock } from './lock-table.ts';

/** A lock, and the connection that holds it. */
export interface HeldLock {
  readonly lock: AdvisoryLock;
  readonly session: Session;
}

interface Session {
  readonly client: pg.Client;
  /** As text: arrays are compared by identity. */
  readonly held: Set<string>;
  isLost: boolean;
}

// Without them, a query would wait forever for a lock if a firewall drops the connection without closing it.
const connectTimeoutMs = 8_000;
const statementTimeoutMs = 10_000;
/** Without Postgres, not every query waits for the timeout. */
const reconnectAfterMs = 1_000;

/**
 * Advisory locks of Postgres that one connection of this process holds. Postgres releases them when the connection
 * ends, so a killed process leaves none behind.
 */
export class AdvisoryLocks {
  readonly #databaseUrl: string;
  readonly #name: string;
  #session: Promise<Session> | undefined;
  #lastTurn: Promise<unknown> = Promise.resolve();
  #failedAtMs = -Infinity;

  constructor(databaseUrl: string, name: string) {
    this.#databaseUrl = databaseUrl;
    this.#name = name;
  }

  /** Takes the first free locks of each list, up to `count`. Throws if Postgres is unreachable. */
  tryEach(
    lists: readonly (readonly AdvisoryLock[])[],
    count = 1,
  ): Promise<readonly (readonly HeldLock[])[]> {
    return this.#inTurn(() => this.#try(lists, count));
  }

  /** Has no effect on locks whose connection was lost. */
  release(locks: readonly HeldLock[]): void {
    void this.#inTurn(async () => {
      const session = await this.#session;
      const own = locks.filter((held) => held.session === session).map(({ lock }) => lock);
      if (session === undefined || own.length === 0) return;
      try {
        await session.client.query(
          'select pg_advisory_unlock(namespace, key) from unnest($1::int[], $2::int[]) as lock (namespace, key)',
          columns(own),
        );
        for (const lock of own) session.held.delete(String(lock));
      } catch {
        this.#lose(session);
      }
    });
  }

  /** Does not wait for Postgres, which may be silent. Postgres releases the locks with the connection. */
  close(): void {
    this.#session?.then(({ client }) => client.end()).catch(() => undefined);
    this.#session = undefined;
  }

  // One statement after the other. A session can take a lock that it already holds once more, so an attempt must
  // know what the one before it has taken.
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#lastTurn.then(work);
    this.#lastTurn = turn.catch(() => undefined);
    return turn;
  }

  async #try(
    lists: readonly (readonly AdvisoryLock[])[],
    count: number,
  ): Promise<readonly (readonly HeldLock[])[]> {
    const session = await this.#connected();
    const free = lists.map((locks) => locks.filter((lock) => !session.held.has(String(lock))));
    try {
      const { rows } = await session.client.query<Record<number, number[]>>(
        `select ${lists.map((_, i) => firstFree(i, count)).join(', ')}`,
        free.flatMap(columns),
      );
      return free.map((locks, i) => {
        const taken = locks.filter((_, place) => rows[0]?.[i]?.includes(place + 1));
        for (const lock of taken) session.held.add(String(lock));
        return taken.map((lock) => ({ lock, session }));
      });
    } catch (error) {
      this.#lose(session);
      throw error;
    }
  }

  #connected(): Promise<Session> {
    if (this.#session !== undefined) return this.#session;
    if (performance.now() - this.#failedAtMs < reconnectAfterMs) {
      return Promise.reject(new Error('The connection for advisory locks was lost'));
    }
    this.#session = this.#connect();
    return this.#session;
  }

  async #connect(): Promise<Session> {
    const client = new pg.Client({
      connectionString: this.#databaseUrl,
      application_name: this.#name,
      connectionTimeoutMillis: connectTimeoutMs,
      query_timeout: statementTimeoutMs,
      keepAlive: true,
    });
    const session: Session = { client, held: new Set(), isLost: false };
    client.on('error', () => this.#lose(session));
    try {
      await client.connect();
      await client.query(shortKeepAlive);
      return session;
    } catch (error) {
      this.#lose(session);
      throw error;
    }
  }

  // Postgres releases the locks when it notices.
  #lose(session: Session): void {
    if (session.isLost) return;
    session.isLost = true;
    session.held.clear();
    this.#session = undefined;
    this.#failedAtMs = performance.now();
    session.client.end().catch(() => undefined);
  }
}

/** The server releases the locks of a process whose machine was lost after half a minute, not after hours. */
export const shortKeepAlive =
  'set tcp_keepalives_idle = 15; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3';

/** The positions of the first free locks in the list. LIMIT stops at the last one that is needed. */
function firstFree(list: number, count: number): string {
  return `array(select position::int from unnest($${2 * list + 1}::int[], $${2 * list + 2}::int[]) with ordinality
      as lock (namespace, key, position)
    where pg_try_advisory_lock(namespace, key) limit ${count}) as "${list}"`;
}

/** Parameters of a query: the namespaces, and the keys. */
function columns(locks: readonly AdvisoryLock[]): number[][] {
  return [locks.map(([namespace]) => namespace), locks.map(([, key]) => key)];
}
