import type {
  ConnectionOptions,
  EngineConnection,
  EngineLibrary,
} from '../../deploy/local/clickhouse/engines/native/library.ts';

/**
 * For a version whose library has one session for all connections (25.8): one request at a time, each
 * cleaned up before the next. What that cannot do: cancel a query that runs, and readonly, which a
 * session never gets rid of again.
 */
export class OneSessionLibrary implements EngineLibrary {
  readonly #library: EngineLibrary;
  #session: EngineConnection | undefined;
  #changedByDefault: ReadonlySet<string> = new Set();
  #last: Promise<void> = Promise.resolve();

  constructor(library: EngineLibrary) {
    this.#library = library;
  }

  version(): string {
    return this.#library.version();
  }

  /** The first connection is the one the server keeps: it takes the session for one query at a time. */
  async connect(options: ConnectionOptions): Promise<EngineConnection> {
    if (this.#session === undefined) {
      const session = await this.#library.connect(options);
      this.#session = session;
      this.#changedByDefault = new Set(await changedSettings(session));
      return {
        ...session,
        query: async (sql, format) => {
          const release = await this.#lock();
          return session.query(sql, format).finally(release);
        },
      };
    }
    const session = this.#session;
    const release = await this.#lock();
    return {
      query: async (sql, format) =>
        session.query(sql.startsWith('SET readonly') ? 'SELECT 1' : sql, format),
      // In one piece, so that no other statement comes between two chunks.
      stream: async (sql, format) => {
        const chunks = [await session.query(sql, format)];
        return { next: () => Promise.resolve(chunks.shift()), close: () => Promise.resolve() };
      },
      close: () => this.#reset(session).finally(release),
    };
  }

  async #reset(session: EngineConnection): Promise<void> {
    const changed = await changedSettings(session);
    const toReset = changed.filter((name) => !this.#changedByDefault.has(name));
    if (toReset.length > 0) {
      await session.query(`SET ${toReset.map((name) => `${name} = DEFAULT`).join(', ')}`);
    }
    await session.query('USE default');
  }

  async #lock(): Promise<() => void> {
    const before = this.#last;
    let release: () => void = () => undefined;
    this.#last = new Promise((resolve) => (release = resolve));
    await before;
    return release;
  }
}

async function changedSettings(session: EngineConnection): Promise<string[]> {
  const sql = 'SELECT name FROM system.settings WHERE changed';
  const { data } = await session.query(sql, 'TSVRaw');
  return Buffer.from(data).toString().split('\n').filter(Boolean);
}
