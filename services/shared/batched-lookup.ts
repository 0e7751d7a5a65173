interface Waiting<V> {
  readonly key: string;
  readonly resolve: (value: V | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** Finds the values of several keys with one query. */
type FindAll<V> = (keys: readonly string[]) => Promise<ReadonlyMap<string, V>>;

interface LookupOptions {
  /** Do not share a query that has started: the value must be at least as new as the request. Default: false. */
  readonly isFresh?: boolean;
}

/** Bounds the size of a query. */
const maxKeys = 500;

/**
 * Looks up keys with a bounded number of queries at a time. Keys that arrive meanwhile share the next query, and
 * requests for the same key share its lookup, so a flood of keys costs few queries.
 */
export class BatchedLookup<V> {
  readonly #findAll: FindAll<V>;
  readonly #maxQueries: number;
  readonly #isFresh: boolean;
  readonly #lookups = new Map<string, Promise<V | undefined>>();
  readonly #waiting: Waiting<V>[] = [];
  #queries = 0;

  constructor(maxQueries: number, findAll: FindAll<V>, { isFresh = false }: LookupOptions = {}) {
    this.#maxQueries = maxQueries;
    this.#isFresh = isFresh;
    this.#findAll = findAll;
  }

  find(key: string): Promise<V | undefined> {
    const started = this.#lookups.get(key);
    if (started !== undefined) return started;
    const lookup = new Promise<V | undefined>((resolve, reject) => {
      this.#waiting.push({ key, resolve, reject });
    });
    this.#lookups.set(key, lookup);
    void this.#query();
    return lookup;
  }

  async #query(): Promise<void> {
    if (this.#queries === this.#maxQueries || this.#waiting.length === 0) return;
    const batch = this.#waiting.splice(0, maxKeys);
    this.#queries++;
    if (this.#isFresh) this.#forget(batch);
    try {
      const found = await this.#findAll(batch.map(({ key }) => key));
      for (const { key, resolve } of batch) resolve(found.get(key));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      if (!this.#isFresh) this.#forget(batch);
      this.#queries--;
      void this.#query();
    }
  }

  #forget(batch: readonly Waiting<V>[]): void {
    for (const { key } of batch) this.#lookups.delete(key);
  }
}
