import type { Database } from '../postgres/connect-postgres.ts';
import type { ApiInterface, Caller } from './caller.ts';
import { tokenHash } from './token.ts';

/** Strangers may send any number of wrong tokens; the cache must not grow with them. */
const maxCachedTokens = 10_000;
/** last_used_at tells an operator which tokens are alive; a minute is precise enough. */
const lastUseEveryMs = 60_000;

interface Cached {
  readonly caller: Caller | undefined;
  readonly validUntilMs: number;
}

/** Finds who a token belongs to, asking Postgres at most once every few seconds a token. */
export class TokenStore {
  readonly #database: Database;
  readonly #interface: ApiInterface;
  readonly #cacheMs: number;
  readonly #cache = new Map<string, Promise<Cached>>();
  readonly #lastUseWrittenMs = new Map<number, number>();

  constructor(database: Database, forInterface: ApiInterface, cacheMs: number) {
    this.#database = database;
    this.#interface = forInterface;
    this.#cacheMs = cacheMs;
  }

  async callerOf(token: string): Promise<Caller | undefined> {
    const hash = tokenHash(token);
    const key = hash.toString('base64');
    const cached = await this.#cache.get(key);
    if (cached !== undefined && Date.now() < cached.validUntilMs) return cached.caller;
    const lookup = this.#lookUp(hash);
    this.#remember(key, lookup);
    try {
      return (await lookup).caller;
    } catch (error) {
      this.#cache.delete(key);
      throw error;
    }
  }

  #remember(key: string, lookup: Promise<Cached>): void {
    if (this.#cache.size >= maxCachedTokens) this.#cache.clear();
    this.#cache.set(key, lookup);
    // A failed look-up is reported to whoever awaits it, not as an unhandled rejection.
    lookup.catch(() => undefined);
  }

  async #lookUp(hash: Buffer): Promise<Cached> {
    const validUntilMs = Date.now() + this.#cacheMs;
    const row = await this.#database('api_tokens as t')
      .join('organisations as o', 'o.id', 't.organisation_id')
      .where({ 't.token_sha256': hash, 't.interface': this.#interface })
      .whereNull('t.revoked_at')
      .whereRaw('(t.expires_at is null or t.expires_at > now())')
      .first<(Caller & { expiresAt: Date | null }) | undefined>({
        tokenId: 't.id',
        organisationId: 'o.id',
        organisationName: 'o.name',
        expiresAt: 't.expires_at',
      });
    if (row === undefined) return { caller: undefined, validUntilMs };
    await this.#noteUse(row.tokenId);
    const { expiresAt, ...caller } = row;
    return { caller, validUntilMs: Math.min(validUntilMs, expiresAt?.getTime() ?? Infinity) };
  }

  async #noteUse(tokenId: number): Promise<void> {
    const nowMs = Date.now();
    if (nowMs - (this.#lastUseWrittenMs.get(tokenId) ?? 0) < lastUseEveryMs) return;
    this.#lastUseWrittenMs.set(tokenId, nowMs);
    await this.#database('api_tokens')
      .where({ id: tokenId })
      .update({ last_used_at: this.#database.fn.now() });
  }
}
