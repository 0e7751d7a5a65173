import { LRUCache } from 'lru-cache';
import type { TokenLookup } from '../../shared/http/authenticate.ts';
import type { ApiInterface, Caller } from '../../shared/auth/caller.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { BatchedLookup } from '../../shared/batched-lookup.ts';
import { isTokenText, tokenHash } from './token.ts';
import { type FoundToken, findTokens, recordTokenUse } from './tokens.ts';

/** Of each cache. Clients may send any number of invalid tokens, so those have a separate cache. */
const maxCachedTokens = 10_000;
/** How often last_used_at is updated. It shows operators which tokens are in use. */
const lastUseIntervalMs = 60_000;

/** Finds the caller of a token, and caches it for a few seconds. */
export class TokenStore implements TokenLookup {
  readonly #database: Database;
  readonly #forInterface: ApiInterface;
  readonly #cacheMs: number;
  /** Keeps expired entries until they are replaced or evicted: their tokens were valid. */
  readonly #callers: LRUCache<string, Caller>;
  readonly #invalid: LRUCache<string, true>;
  // Separate, so that invalid tokens do not delay tokens that were valid.
  readonly #newTokens: BatchedLookup<FoundToken>;
  readonly #knownTokens: BatchedLookup<FoundToken>;
  readonly #recentlyUsed = new LRUCache<number, true>({
    max: maxCachedTokens,
    ttl: lastUseIntervalMs,
  });

  constructor(database: Database, forInterface: ApiInterface, cacheMs: number) {
    this.#database = database;
    this.#forInterface = forInterface;
    // In lru-cache a ttl of 0 means "never expires".
    this.#cacheMs = Math.max(1, cacheMs);
    const cache = { max: maxCachedTokens, ttl: this.#cacheMs };
    this.#callers = new LRUCache({ ...cache, noDeleteOnStaleGet: true });
    this.#invalid = new LRUCache(cache);
    const findAll = (keys: readonly string[]) => {
      const hashes = keys.map((key) => Buffer.from(key, 'base64'));
      return findTokens(database, hashes, forInterface);
    };
    this.#newTokens = new BatchedLookup(2, findAll);
    this.#knownTokens = new BatchedLookup(2, findAll);
  }

  isKnown(token: string): boolean {
    return this.#hasFormat(token) && this.#wasValid(keyOf(token));
  }

  async callerOf(token: string): Promise<Caller | undefined> {
    if (!this.#hasFormat(token)) return undefined;
    const key = keyOf(token);
    if (this.#invalid.has(key)) return undefined;
    return this.#callers.get(key) ?? (await this.#lookUp(key));
  }

  /** A token of another format costs no lookup. */
  #hasFormat(token: string): boolean {
    return isTokenText(token, this.#forInterface);
  }

  #wasValid(key: string): boolean {
    return this.#callers.peek(key, { allowStale: true }) !== undefined;
  }

  async #lookUp(key: string): Promise<Caller | undefined> {
    const lookup = this.#wasValid(key) ? this.#knownTokens : this.#newTokens;
    const found = await lookup.find(key);
    if (found === undefined) {
      this.#callers.delete(key);
      this.#invalid.set(key, true);
      return undefined;
    }
    const { expiresAt, ...caller } = found;
    const expiresInMs = (expiresAt?.getTime() ?? Infinity) - Date.now();
    this.#callers.set(key, caller, { ttl: Math.max(1, Math.min(this.#cacheMs, expiresInMs)) });
    await this.#recordUse(caller.tokenId);
    return caller;
  }

  async #recordUse(tokenId: number): Promise<void> {
    if (this.#recentlyUsed.has(tokenId)) return;
    this.#recentlyUsed.set(tokenId, true);
    await recordTokenUse(this.#database, tokenId);
  }
}

/** The caches hold no token, only its hash. */
function keyOf(token: string): string {
  return tokenHash(token).toString('base64');
}
