import type { ApiInterface } from '../../services/shared/auth/caller.ts';
import { findOrganisation } from '../../services/registry/organisations.ts';
import { tokenHash } from '../../services/registry/token.ts';
import { createToken, findToken } from '../../services/registry/tokens.ts';
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
    const isValid =
      kept !== undefined &&
      (await findToken(database, tokenHash(kept), forInterface)) !== undefined;
    tokens[variable] = isValid
      ? kept
      : await createToken(database, {
          organisationId: await findOrganisation(database, organisation),
          interface: forInterface,
          label: 'local stack',
        });
  }
  return tokens;
}
