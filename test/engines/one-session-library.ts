import { sqlTokens } from '../../deploy/local/clickhouse/sql-tokens.ts';
import type {
  ConnectionOptions,
  EngineConnection,
  EngineLibrary,
} from '../../deploy/local/clickhouse/engines/native/library.ts';

/**
 * For a library with one session for all connections (25.8): runs one request at a time and resets the
 * session after each. Cannot cancel a running query, and ignores readonly, which cannot be reset.
 */
export class OneSessionLibrary implements EngineLibrary {
  readonly #library: EngineLibrary;
  #session: EngineConnection | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(library: EngineLibrary) {
    this.#library = library;
  }

  version(): string {
    return this.#library.version();
  }

  /** The server keeps the first connection open, so that one locks the session per query. */
  async connect(options: ConnectionOptions): Promise<EngineConnection> {
    if (this.#session === undefined) {
      const session = await this.#library.connect(options);
      this.#session = session;
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
    const settings = new Set<string>();
    return {
      query: async (sql, format) => {
        if (sql.startsWith('SET readonly')) return session.query('SELECT 1', format);
        for (const name of assignedNames(sql)) settings.add(name);
        return session.query(sql, format);
      },
      // One chunk, so that no other statement runs between two chunks.
      stream: async (sql, format) => {
        const chunks = [await session.query(sql, format)];
        return { next: () => Promise.resolve(chunks.shift()), close: () => Promise.resolve() };
      },
      close: () => reset(session, settings).finally(release),
    };
  }

  async #lock(): Promise<() => void> {
    const before = this.#last;
    let release: () => void = () => undefined;
    this.#last = new Promise((resolve) => (release = resolve));
    await before;
    return release;
  }
}

async function reset(session: EngineConnection, settings: ReadonlySet<string>): Promise<void> {
  const defaults = [...settings].map((name) => `${name} = DEFAULT`);
  if (defaults.length > 0) await session.query(`SET ${defaults.join(', ')}`);
  await session.query('USE default');
}

/** Names of settings in `SET a = 1, b = 'c'`, without parameters, which every request sets itself. */
function assignedNames(sql: string): string[] {
  if (!sql.startsWith('SET ')) return [];
  const tokens = [...sqlTokens(Buffer.from(sql))].map(({ text }) => text);
  return tokens.filter((name, i) => tokens[i + 1] === '=' && !name.startsWith('param_'));
}
