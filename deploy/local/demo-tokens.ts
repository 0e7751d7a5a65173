import type { ApiInterface } from '../../services/shared/auth/caller.ts';
import { newToken, tokenHash } from '../../services/shared/auth/token.ts';
import type { EnvFile } from '../../services/shared/config/env-file.ts';
import type { Database } from '../../services/shared/postgres/connect-postgres.ts';

const wanted = [
  { variable: 'DEMO_DATA_TOKEN', organisation: 'demo', interface: 'data' },
  { variable: 'DEMO_METADATA_TOKEN', organisation: 'demo', interface: 'metadata' },
  { variable: 'OTHER_DATA_TOKEN', organisation: 'other', interface: 'data' },
  { variable: 'OTHER_METADATA_TOKEN', organisation: 'other', interface: 'metadata' },
] as const satisfies readonly { variable: string; organisation: string; interface: ApiInterface }[];

/** Keeps the tokens that an earlier run handed out, so that a pasted curl line goes on working. */
export async function demoTokens(database: Database, earlier: EnvFile): Promise<EnvFile> {
  const tokens: Record<string, string> = {};
  for (const { variable, organisation, interface: forInterface } of wanted) {
    const kept = earlier[variable];
    if (kept !== undefined && (await isUsable(database, kept))) {
      tokens[variable] = kept;
      continue;
    }
    const token = newToken(forInterface);
    await database('api_tokens').insert({
      organisation_id: database('organisations').where({ name: organisation }).select('id'),
      interface: forInterface,
      token_sha256: tokenHash(token),
      label: 'local stack',
    });
    tokens[variable] = token;
  }
  return tokens;
}

async function isUsable(database: Database, token: string): Promise<boolean> {
  const row = await database('api_tokens')
    .where({ token_sha256: tokenHash(token), revoked_at: null })
    .whereRaw('(expires_at is null or expires_at > now())')
    .first<{ id: number } | undefined>('id');
  return row !== undefined;
}
