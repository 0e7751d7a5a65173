import { onlyWord, parseWords, required } from './arguments.ts';
import { type Command, UsageError } from './command.ts';
import { findOrganisation } from './find-organisation.ts';
import { listOfOrganisation } from './list-of-organisation.ts';
import { runSubcommand } from './subcommands.ts';
import { tell } from './tell.ts';
import { withDatabase } from './with-stores.ts';

export const ispCommand: Command = {
  name: 'isp',
  about: 'Add an ISP to an organisation, or list its ISPs',
  usage: `netpanel isp add --org NAME ISP
netpanel isp list --org NAME [--json]

An ISP's name has no colon, since packages are written ISP:PACKAGE.`,

  run: (args) => runSubcommand(args, { add, list }),
};

async function add(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseWords(args, { org: { type: 'string' } });
  const org = required(values.org, 'org');
  const name = onlyWord(positionals, 'ISP');
  if (name.includes(':')) throw new UsageError(`"${name}" has a colon`);
  await withDatabase(async (database) =>
    database('isps')
      .insert({ organisation_id: await findOrganisation(database, org), name })
      .onConflict(['organisation_id', 'name'])
      .ignore(),
  );
  tell(`${org} has the ISP ${name}`);
  return 0;
}

const list = listOfOrganisation(['isp', 'packages'], (database, organisationId) =>
  database('isps')
    .where({ organisation_id: organisationId })
    .orderBy('name')
    .select<{ isp: string; packages: number }[]>(
      { isp: 'name' },
      database.raw('(select count(*) from packages where isp_id = isps.id) as packages'),
    ),
);
