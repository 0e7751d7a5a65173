import { addIsp, listIsps } from '../registry/isps.ts';
import { findOrganisation } from '../registry/organisations.ts';
import { parseOptions, required, singleArgument } from './arguments.ts';
import { type Command, UsageError } from './command.ts';
import { listCommand } from './list-command.ts';
import { printLine } from './print-line.ts';
import { runSubcommand } from './subcommands.ts';
import { withDatabase } from './with-stores.ts';

export const ispCommand: Command = {
  about: 'Add an ISP to an organisation, or list its ISPs',
  usage: `netpanel isp add --org NAME ISP
netpanel isp list --org NAME [--json]

The name of an ISP must not contain a colon: packages are written ISP:PACKAGE.`,

  run: (args) => runSubcommand(args, { add, list: listCommand(['isp', 'packages'], listIsps) }),
};

async function add(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseOptions(args, { org: { type: 'string' } });
  const org = required(values.org, 'org');
  const name = singleArgument(positionals, 'ISP');
  if (name.includes(':')) throw new UsageError(`ISP must not contain a colon: "${name}"`);
  await withDatabase(async (database) =>
    addIsp(database, await findOrganisation(database, org), name),
  );
  printLine(`${org} has the ISP ${name}`);
  return 0;
}
