import type { ApiInterface, Caller } from '../shared/auth/caller.ts';
import type { Database } from '../shared/postgres/connect-postgres.ts';
import { newToken, tokenHash } from './token.ts';

export interface NewToken {
  readonly organisationId: number;
  readonly interface: ApiInterface;
  readonly label: string;
  /** null: it never expires. */
  readonly expiresAt?: Date | null;
}

/** Creates a token and stores its hash. The token cannot be read again. */
export async function createToken(database: Database, token: NewToken): Promise<string> {
  const text = newToken(token.interface);
  await database('api_tokens').insert({
    organisation_id: token.organisationId,
    interface: token.interface,
    token_sha256: tokenHash(text),
    label: token.label,
    expires_at: token.expiresAt ?? null,
  });
  return text;
}

export interface ListedToken {
  readonly id: number;
  readonly interface: ApiInterface;
  readonly label: string;
  readonly state: 'active' | 'expired' | 'revoked';
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
}

export async function listTokens(
  database: Database,
  organisationId: number,
): Promise<ListedToken[]> {
  return database('api_tokens')
    .where({ organisation_id: organisationId })
    .orderBy('id')
    .select<ListedToken[]>(
      'id',
      'interface',
      'label',
      database.raw(
        "case when revoked_at is not null then 'revoked' when expires_at <= now() then 'expired' else 'active' end as state",
      ),
      { createdAt: 'created_at', expiresAt: 'expires_at', lastUsedAt: 'last_used_at' },
    );
}

/** False if the token does not exist or is already revoked. */
export async function revokeToken(database: Database, id: number): Promise<boolean> {
  const revoked = await database('api_tokens')
    .where({ id })
    .whereNull('revoked_at')
    .update({ revoked_at: database.fn.now() });
  return revoked > 0;
}

/** The caller of a token that is neither revoked nor expired. */
export async function findToken(
  database: Database,
  hash: Buffer,
  forInterface: ApiInterface,
): Promise<(Caller & { readonly expiresAt: Date | null }) | undefined> {
  return database('api_tokens as t')
    .join('organisations as o', 'o.id', 't.organisation_id')
    .where({ 't.token_sha256': hash, 't.interface': forInterface })
    .whereNull('t.revoked_at')
    .whereRaw('(t.expires_at is null or t.expires_at > now())')
    .first<(Caller & { expiresAt: Date | null }) | undefined>({
      tokenId: 't.id',
      organisationId: 'o.id',
      organisationName: 'o.name',
      expiresAt: 't.expires_at',
    });
}

export async function recordTokenUse(database: Database, id: number): Promise<void> {
  await database('api_tokens').where({ id }).update({ last_used_at: database.fn.now() });
}
