import { onlyWord, parseWords, required } from './arguments.ts';
import { type Command, UsageError } from './command.ts';
import { findOrganisation } from './find-organisation.ts';
import { listOfOrganisation } from './list-of-organisation.ts';
import { runSubcommand } from './subcommands.ts';
import { tell } from './tell.ts';
import { withDatabase } from './with-stores.ts';

export const packageCommand: Command = {
  name: 'package',
  about: 'Add a package to an ISP, or list packages',
  usage: `netpanel package add --org NAME ISP:PACKAGE
netpanel package list --org NAME [--json]

The ISP must be there: netpanel isp add makes one.`,

  run: (args) => runSubcommand(args, { add, list }),
};

async function add(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseWords(args, { org: { type: 'string' } });
  const org = required(values.org, 'org');
  const [, isp, name] = /^([^:]+):(.+)$/s.exec(onlyWord(positionals, 'ISP:PACKAGE')) ?? [];
  if (isp === undefined || name === undefined) throw new UsageError('write it as ISP:PACKAGE');
  await withDatabase(async (database) => {
    const organisation_id = await findOrganisation(database, org);
    const found = await database<{ id: number; organisation_id: number; name: string }>('isps')
      .where({ organisation_id, name: isp })
      .first('id');
    if (found === undefined) throw new Error(`${org} has no ISP "${isp}"`);
    await database('packages')
      .insert({ isp_id: found.id, name })
      .onConflict(['isp_id', 'name'])
      .ignore();
  });
  tell(`${org} has the package ${isp}:${name}`);
  return 0;
}

const list = listOfOrganisation(['package'], (database, organisationId) =>
  database('packages as p')
    .join('isps as i', 'i.id', 'p.isp_id')
    .where({ 'i.organisation_id': organisationId })
    .orderBy(['i.name', 'p.name'])
    .select<{ package: string }[]>(database.raw("i.name || ':' || p.name as package")),
);
