import type { ApiInterface } from '../shared/auth/caller.ts';
import { newToken, tokenHash } from '../shared/auth/token.ts';
import { instant, noMoreWords, onlyWord, parseWords, required, wholeNumber } from './arguments.ts';
import { type Command, UsageError } from './command.ts';
import { findOrganisation } from './find-organisation.ts';
import { listOfOrganisation } from './list-of-organisation.ts';
import { runSubcommand } from './subcommands.ts';
import { tell } from './tell.ts';
import { withDatabase } from './with-stores.ts';

export const tokenCommand: Command = {
  name: 'token',
  about: 'Create, list or revoke tokens of an organisation',
  usage: `netpanel token create --org NAME --interface data|metadata --label TEXT [--expires 90d]
netpanel token list --org NAME [--json]
netpanel token revoke ID

  --expires  a number of days (90d) or a date (2027-01-01); never unless given

The token is printed once and kept nowhere. A revoked token stops working within seconds.`,

  run: (args) => runSubcommand(args, { create, list, revoke }),
};

async function create(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseWords(args, {
    org: { type: 'string' },
    interface: { type: 'string' },
    label: { type: 'string' },
    expires: { type: 'string' },
  });
  noMoreWords(positionals);
  const org = required(values.org, 'org');
  const label = required(values.label, 'label');
  const forInterface = apiInterface(required(values.interface, 'interface'));
  const expiresAt = values.expires === undefined ? null : expiry(values.expires);
  const token = newToken(forInterface);
  await withDatabase(async (database) => {
    const organisationId = await findOrganisation(database, org);
    await database('api_tokens').insert({
      organisation_id: organisationId,
      interface: forInterface,
      token_sha256: tokenHash(token),
      label,
      expires_at: expiresAt,
    });
  });
  // Alone on standard output, so that a script can keep it: TOKEN=$(netpanel token create …)
  process.stderr.write('Keep this token: it is shown this once.\n');
  tell(token);
  return 0;
}

const listed = ['id', 'interface', 'label', 'state', 'created', 'expires', 'last used'] as const;

const list = listOfOrganisation(listed, (database, organisationId) =>
  database('api_tokens')
    .where({ organisation_id: organisationId })
    .orderBy('id')
    .select<Record<(typeof listed)[number], string | Date | null>[]>(
      'id',
      'interface',
      'label',
      database.raw(
        "case when revoked_at is not null then 'revoked' when expires_at <= now() then 'expired' else 'active' end as state",
      ),
      { created: 'created_at', expires: 'expires_at', 'last used': 'last_used_at' },
    ),
);

async function revoke(args: readonly string[]): Promise<number> {
  const id = wholeNumber(onlyWord(parseWords(args, {}).positionals, 'ID'), 'ID');
  const revoked = await withDatabase((database) =>
    database('api_tokens')
      .where({ id })
      .whereNull('revoked_at')
      .update({ revoked_at: database.fn.now() }),
  );
  if (revoked === 0) throw new Error(`There is no token ${id} that still works`);
  tell(`token ${id} revoked`);
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
