import type { Knex } from 'knex';
import type { ApiInterface, Caller } from '../../shared/auth/caller.ts';
import type { Scope } from '../../shared/auth/scopes.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { newToken, tokenHash } from './token.ts';

export interface NewToken {
  readonly organisationId: number;
  readonly interface: ApiInterface;
  readonly label: string;
  readonly scopes: readonly Scope[];
  /** null: it never expires. */
  readonly expiresAt: Date | null;
  /** The privacy floor, only of data tokens; null: that of the organisation. */
  readonly minAgents: number | null;
}

/** Creates a token and stores its hash. The token cannot be read again. */
export async function createToken(database: Database, token: NewToken): Promise<string> {
  const text = newToken(token.interface);
  await database('api_tokens').insert({
    organisation_id: token.organisationId,
    interface: token.interface,
    token_sha256: tokenHash(text),
    label: token.label,
    scopes: token.scopes,
    expires_at: token.expiresAt,
    min_agents: token.minAgents,
  });
  return text;
}

export interface Rotation {
  /** When the old token ends, unless it ends earlier. */
  readonly endsAt: Date;
  /** Of the successor; null: it never expires. */
  readonly expiresAt: Date | null;
}

/**
 * Creates a successor with the same label, scopes and privacy floor, and sets the end of the old token. Returns undefined
 * if no active token has the id.
 */
export async function rotateToken(
  database: Database,
  id: number,
  { endsAt, expiresAt }: Rotation,
): Promise<string | undefined> {
  return database.transaction(async (transaction) => {
    const old = await active(transaction('api_tokens as t'))
      .where({ 't.id': id })
      .forUpdate()
      .first<Omit<NewToken, 'expiresAt'> | undefined>({
        organisationId: 't.organisation_id',
        interface: 't.interface',
        label: 't.label',
        scopes: 't.scopes',
        minAgents: 't.min_agents',
      });
    if (old === undefined) return undefined;
    await transaction('api_tokens')
      .where({ id })
      .update({ expires_at: transaction.raw('least(expires_at, ?)', [endsAt]) });
    return createToken(transaction, { ...old, expiresAt });
  });
}

export interface ListedToken {
  readonly id: number;
  readonly interface: ApiInterface;
  readonly label: string;
  readonly scopes: readonly Scope[];
  readonly minAgents: number | null;
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
      'scopes',
      database.raw(
        "case when revoked_at is not null then 'revoked' when expires_at <= now() then 'expired' else 'active' end as state",
      ),
      {
        minAgents: 'min_agents',
        createdAt: 'created_at',
        expiresAt: 'expires_at',
        lastUsedAt: 'last_used_at',
      },
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

/** The caller of a valid token. */
export interface FoundToken extends Caller {
  /** null: it never expires. */
  readonly expiresAt: Date | null;
}

/** The tokens of these hashes that are neither revoked nor expired, by hash in base64. */
export async function findTokens(
  database: Database,
  hashes: readonly Buffer[],
  forInterface: ApiInterface,
): Promise<ReadonlyMap<string, FoundToken>> {
  const rows = await active(database('api_tokens as t'))
    .join('organisations as o', 'o.id', 't.organisation_id')
    .whereIn('t.token_sha256', hashes)
    .where({ 't.interface': forInterface })
    .select<(FoundToken & { sha256: Buffer })[]>(
      {
        sha256: 't.token_sha256',
        tokenId: 't.id',
        organisationId: 'o.id',
        organisationName: 'o.name',
        scopes: 't.scopes',
        expiresAt: 't.expires_at',
      },
      // The larger one: greatest() ignores nulls.
      database.raw('coalesce(greatest(t.min_agents, o.min_agents), 0) as "minAgents"'),
    );
  return new Map(rows.map(({ sha256, ...token }) => [sha256.toString('base64'), token]));
}

/** Without revoked and expired tokens. */
function active(tokens: Knex.QueryBuilder): Knex.QueryBuilder {
  return tokens
    .whereNull('t.revoked_at')
    .whereRaw('(t.expires_at is null or t.expires_at > now())');
}

export async function recordTokenUse(database: Database, id: number): Promise<void> {
  await database('api_tokens').where({ id }).update({ last_used_at: database.fn.now() });
}
