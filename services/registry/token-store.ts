import { LRUCache } from 'lru-cache';
import type { ApiInterface, Caller } from '../shared/auth/caller.ts';
import type { Database } from '../shared/postgres/connect-postgres.ts';
import { tokenHash } from './token.ts';
import { findToken, recordTokenUse } from './tokens.ts';

/** Clients may send any number of wrong tokens; the cache must not grow with them. */
const maxCachedTokens = 10_000;
/** last_used_at tells an operator which tokens are in use; a minute is precise enough. */
const lastUseIntervalMs = 60_000;

/** Finds the caller a token belongs to, with one query per token every few seconds. */
export class TokenStore {
  readonly #callers: LRUCache<string, { readonly caller: Caller | undefined }>;
  readonly #recentlyUsed = new LRUCache<number, true>({
    max: maxCachedTokens,
    ttl: lastUseIntervalMs,
  });

  constructor(database: Database, forInterface: ApiInterface, cacheMs: number) {
    // lru-cache takes a ttl of 0 for "never expires".
    const ttl = Math.max(1, cacheMs);
    this.#callers = new LRUCache({
      max: maxCachedTokens,
      ttl,
      // A lookup that is evicted by others still ends for the request that waits for it.
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
