import { LRUCache } from 'lru-cache';
import type { ApiInterface, Caller } from '../shared/auth/caller.ts';
import type { Database } from '../shared/postgres/connect-postgres.ts';
import { tokenHash } from './token.ts';
import { findToken, recordTokenUse } from './tokens.ts';

/** Limits the cache, because clients may send any number of invalid tokens. */
const maxCachedTokens = 10_000;
/** How often last_used_at is updated. It shows operators which tokens are in use. */
const lastUseIntervalMs = 60_000;

/** Finds the caller of a token, and caches it for a few seconds. */
export class TokenStore {
  readonly #callers: LRUCache<string, { readonly caller: Caller | undefined }>;
  readonly #recentlyUsed = new LRUCache<number, true>({
    max: maxCachedTokens,
    ttl: lastUseIntervalMs,
  });

  constructor(database: Database, forInterface: ApiInterface, cacheMs: number) {
    // In lru-cache a ttl of 0 means "never expires".
    const ttl = Math.max(1, cacheMs);
    this.#callers = new LRUCache({
      max: maxCachedTokens,
      ttl,
      // A request still gets its result if its lookup is evicted from the cache.
      ignoreFetchAbort: true,
      fetchMethod: async (hash, _stale, { options }) => {
        const found = await findToken(database, Buffer.from(hash, 'base64'), forInterface);
        if (found === undefined) return { caller: undefined };
        const { expiresAt, ...caller } = found;
        await this.#recordUse(database, caller.tokenId);
        const expiresInMs = (expiresAt?.getTime() ?? Infinity) - Date.now();
        options.ttl = Math.max(1, Math.min(ttl, expiresInMs));
        return { caller };
      },
    });
  }

  async callerOf(token: string): Promise<Caller | undefined> {
    return (await this.#callers.fetch(tokenHash(token).toString('base64')))?.caller;
  }

  async #recordUse(database: Database, tokenId: number): Promise<void> {
    if (this.#recentlyUsed.has(tokenId)) return;
    this.#recentlyUsed.set(tokenId, true);
    await recordTokenUse(database, tokenId);
  }
}
