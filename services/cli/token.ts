import { createToken, listTokens, revokeToken, rotateToken } from '../registry/tokens/tokens.ts';
import type { ApiInterface } from '../shared/auth/caller.ts';
import { defaultScopes, type Scope, scopes } from '../shared/auth/scopes.ts';
import type { Database } from '../shared/postgres/connect-postgres.ts';
import { instant, minimumOfAgents, oneOf, orgOption, required } from './arguments.ts';
import type { Command } from './command.ts';
import { UsageError, wholeNumber } from '../shared/errors/usage-error.ts';
import { readCliConfig } from './config.ts';
import { listCommand, runSubcommand, subcommand } from './subcommands.ts';
import { printLine, printNote } from './print.ts';
import { withOrganisation, withStores } from './with-stores.ts';

export const tokenCommand: Command = {
  about: 'Create, list, rotate or revoke tokens of an organisation',
  usage: `netpanel token create --org NAME --interface data|metadata --label TEXT [--scopes …] [--expires 90d]
                      [--min-agents N]
netpanel token rotate ID [--overlap 24h] [--expires 90d]
netpanel token list --org NAME [--json]
netpanel token revoke ID

  --scopes   what the token allows, comma-separated
             data: ${scopes.data.join(', ')}; default: ${defaultScopes.data.join(',')}
             metadata: ${scopes.metadata.join(', ')}; default: ${defaultScopes.metadata.join(',')}
  --expires  number of days (90d), date (2027-01-01) or never; default: after TOKEN_DAYS, 365 days
  --min-agents
             privacy floor of a data token: it sees no point of fewer than N agents (at least 2), no raw data and no
             single agent; default: the floor of the organisation, see netpanel org floor. The larger one holds.
  --overlap  hours (24h) or days (7d) that the old token still works; default: 24h

The token is printed once; only its hash is stored. A revoked token stops working within seconds. rotate creates a
successor with the same label, scopes and privacy floor.`,

  run: (args) => runSubcommand(args, { create, rotate, list, revoke }),
};

const createOptions = {
  ...orgOption,
  interface: { type: 'string' },
  label: { type: 'string' },
  scopes: { type: 'string' },
  expires: { type: 'string' },
  'min-agents': { type: 'string' },
} as const;

const apiInterfaces: readonly ApiInterface[] = ['data', 'metadata'];

const create = subcommand(createOptions, undefined, async (values) => {
  const label = required(values.label, 'label');
  const forInterface = oneOf(required(values.interface, 'interface'), apiInterfaces, '--interface');
  const wanted =
    values.scopes === undefined
      ? defaultScopes[forInterface]
      : parseScopes(values.scopes, forInterface);
  const minAgents = floorOption(values['min-agents'], forInterface);
  const expiresAt = expiry(values.expires);
  const token = await withOrganisation(values.org, ({ database, organisationId }) =>
    createToken(database, {
      organisationId,
      interface: forInterface,
      label,
      scopes: wanted,
      expiresAt,
      minAgents,
    }),
  );
  printToken(token, expiresAt);
});

const rotateOptions = {
  overlap: { type: 'string', default: '24h' },
  expires: { type: 'string' },
} as const;

const rotate = subcommand(rotateOptions, 'ID', async (values, text) => {
  const id = wholeNumber(text, 'ID');
  const endsAt = new Date(Date.now() + overlapMs(values.overlap));
  const expiresAt = expiry(values.expires);
  const token = await withStores(({ database }) =>
    rotateToken(database, id, { endsAt, expiresAt }),
  );
  if (token === undefined)
    throw new Error(`No active token has the id ${id}. netpanel token list shows them.`);
  printNote(`Token ${id} works until ${minuteText(endsAt)} at the latest.`);
  printToken(token, expiresAt);
});

/** Only the token goes to standard output, for scripts: TOKEN=$(netpanel token create …) */
function printToken(token: string, expiresAt: Date | null): void {
  const end = expiresAt === null ? 'never expires' : `expires at ${minuteText(expiresAt)}`;
  printNote(`Store this token: it cannot be shown again. It ${end}.`);
  printLine(token);
}

function minuteText(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

const list = listCommand(
  ['id', 'interface', 'label', 'scopes', 'min agents', 'state', 'created', 'expires', 'last used'],
  async (database: Database, organisationId: number) =>
    (await listTokens(database, organisationId)).map((token) => ({
      ...token,
      scopes: token.scopes.join(','),
      'min agents': token.minAgents,
      created: token.createdAt,
      expires: token.expiresAt,
      'last used': token.lastUsedAt,
    })),
);

const revoke = subcommand({}, 'ID', async (_values, text) => {
  const id = wholeNumber(text, 'ID');
  const isRevoked = await withStores(({ database }) => revokeToken(database, id));
  if (!isRevoked)
    throw new Error(`No active token has the id ${id}. netpanel token list shows them.`);
  printLine(`token ${id} revoked`);
});

/** null: that of the organisation. */
function floorOption(text: string | undefined, forInterface: ApiInterface): number | null {
  if (text === undefined) return null;
  if (forInterface === 'metadata')
    throw new UsageError('--min-agents is for data tokens: a metadata token reads single agents');
  return minimumOfAgents(text, '--min-agents');
}

function parseScopes(text: string, forInterface: ApiInterface): readonly Scope[] {
  const allowed: readonly Scope[] = scopes[forInterface];
  return [...new Set(text.split(','))].map((word) =>
    oneOf(word.trim(), allowed, `--scopes of a ${forInterface} token`),
  );
}

const hourMs = 3_600_000;

/** null: never. */
function expiry(text = `${readCliConfig().tokenDays}d`): Date | null {
  if (text === 'never') return null;
  const days = /^(\d{1,5})d$/.exec(text)?.[1];
  const expiresAt =
    days === undefined
      ? instant(text, 'expires')
      : new Date(Date.now() + Number(days) * 24 * hourMs);
  if (expiresAt.getTime() <= Date.now()) throw new UsageError(`--expires ${text} is in the past`);
  return expiresAt;
}

function overlapMs(text: string): number {
  const [, count, unit] = /^(\d{1,4})([hd])$/.exec(text) ?? [];
  if (count === undefined)
    throw new UsageError(`--overlap must be a number of hours (24h) or days (7d), not "${text}"`);
  return Number(count) * hourMs * (unit === 'd' ? 24 : 1);
}
