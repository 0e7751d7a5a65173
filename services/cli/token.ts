import { findOrganisation } from '../registry/organisations.ts';
import { createToken, listTokens, revokeToken } from '../registry/tokens.ts';
import type { ApiInterface } from '../shared/auth/caller.ts';
import type { Database } from '../shared/postgres/connect-postgres.ts';
import {
  instant,
  parseOptions,
  rejectExtraArguments,
  required,
  singleArgument,
  wholeNumber,
} from './arguments.ts';
import { type Command, UsageError } from './command.ts';
import { listCommand } from './list-command.ts';
import { runSubcommand } from './subcommands.ts';
import { printLine } from './print-line.ts';
import { withDatabase } from './with-stores.ts';

export const tokenCommand: Command = {
  name: 'token',
  about: 'Create, list or revoke tokens of an organisation',
  usage: `netpanel token create --org NAME --interface data|metadata --label TEXT [--expires 90d]
netpanel token list --org NAME [--json]
netpanel token revoke ID

  --expires  number of days (90d) or date (2027-01-01); default: never

The token is printed once; only its hash is stored. A revoked token stops working within seconds.`,

  run: (args) => runSubcommand(args, { create, list, revoke }),
};

async function create(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseOptions(args, {
    org: { type: 'string' },
    interface: { type: 'string' },
    label: { type: 'string' },
    expires: { type: 'string' },
  });
  rejectExtraArguments(positionals);
  const org = required(values.org, 'org');
  const label = required(values.label, 'label');
  const forInterface = apiInterface(required(values.interface, 'interface'));
  const expiresAt = values.expires === undefined ? null : expiry(values.expires);
  const token = await withDatabase(async (database) => {
    const organisationId = await findOrganisation(database, org);
    return createToken(database, { organisationId, interface: forInterface, label, expiresAt });
  });
  // Only the token goes to standard output, for scripts: TOKEN=$(netpanel token create …)
  process.stderr.write('Store this token: it cannot be shown again.\n');
  printLine(token);
  return 0;
}

const list = listCommand(
  ['id', 'interface', 'label', 'state', 'created', 'expires', 'last used'],
  async (database: Database, organisationId: number) =>
    (await listTokens(database, organisationId)).map((token) => ({
      ...token,
      created: token.createdAt,
      expires: token.expiresAt,
      'last used': token.lastUsedAt,
    })),
);

async function revoke(args: readonly string[]): Promise<number> {
  const id = wholeNumber(singleArgument(parseOptions(args, {}).positionals, 'ID'), 'ID');
  const isRevoked = await withDatabase((database) => revokeToken(database, id));
  if (!isRevoked) throw new Error(`No active token has the id ${id}`);
  printLine(`token ${id} revoked`);
  return 0;
}

function apiInterface(text: string): ApiInterface {
  if (text === 'data' || text === 'metadata') return text;
  throw new UsageError(`--interface must be data or metadata, not "${text}"`);
}

function expiry(text: string): Date {
  const days = /^(\d{1,5})d$/.exec(text)?.[1];
  const expiresAt =
    days === undefined
      ? instant(text, 'expires')
      : new Date(Date.now() + Number(days) * 24 * 3600 * 1000);
  if (expiresAt.getTime() <= Date.now()) throw new UsageError(`--expires ${text} is in the past`);
  return expiresAt;
}
