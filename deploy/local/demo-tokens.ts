import type { ApiInterface } from '../../services/shared/auth/caller.ts';
import { defaultScopes, type Scope } from '../../services/shared/auth/scopes.ts';
import { findOrganisation } from '../../services/registry/organisations/organisations.ts';
import { tokenHash } from '../../services/registry/tokens/token.ts';
import { createToken, findTokens } from '../../services/registry/tokens/tokens.ts';
import type { EnvFile } from '../../services/shared/config/env-file.ts';
import type { Database } from '../../services/shared/postgres/connect-postgres.ts';

const wanted = [
  { variable: 'DEMO_DATA_TOKEN', organisation: 'demo', interface: 'data' },
  { variable: 'DEMO_METADATA_TOKEN', organisation: 'demo', interface: 'metadata' },
  { variable: 'OTHER_DATA_TOKEN', organisation: 'other', interface: 'data' },
  { variable: 'OTHER_METADATA_TOKEN', organisation: 'other', interface: 'metadata' },
  {
    variable: 'DEMO_INGEST_TOKEN',
    organisation: 'demo',
    interface: 'data',
    scopes: ['results:write'],
  },
] as const satisfies readonly WantedToken[];

interface WantedToken {
  readonly variable: string;
  readonly organisation: string;
  readonly interface: ApiInterface;
  /** Default: those of a new token of the interface. */
  readonly scopes?: readonly Scope[];
}

/** Keeps the valid tokens of an earlier run, so that saved curl commands still work. */
export async function demoTokens(database: Database, earlier: EnvFile): Promise<EnvFile> {
  const tokens: Record<string, string> = {};
  for (const one of wanted satisfies readonly WantedToken[]) {
    const { variable, organisation, interface: forInterface, scopes }: WantedToken = one;
    const token = earlier[variable];
    const isValid =
      token !== undefined &&
      (await findTokens(database, [tokenHash(token)], forInterface)).size > 0;
    tokens[variable] = isValid
      ? token
      : await createToken(database, {
          organisationId: await findOrganisation(database, organisation),
          interface: forInterface,
          label: 'local stack',
          scopes: scopes ?? defaultScopes[forInterface],
          expiresAt: null,
          minAgents: null,
        });
  }
  return tokens;
}
