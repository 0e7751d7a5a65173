import { findOrganisation } from '../registry/organisations.ts';
import { addPackage, listPackages } from '../registry/packages.ts';
import { parseOptions, required, singleArgument } from './arguments.ts';
import { type Command, UsageError } from './command.ts';
import { listCommand } from './list-command.ts';
import { printLine } from './print-line.ts';
import { runSubcommand } from './subcommands.ts';
import { withDatabase } from './with-stores.ts';

export const packageCommand: Command = {
  about: 'Add a package to an ISP, or list packages',
  usage: `netpanel package add --org NAME ISP:PACKAGE
netpanel package list --org NAME [--json]

The ISP must exist; add it with netpanel isp add.`,

  run: (args) => runSubcommand(args, { add, list: listCommand(['package'], listPackages) }),
};

async function add(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseOptions(args, { org: { type: 'string' } });
  const org = required(values.org, 'org');
  const [, isp, name] = /^([^:]+):(.+)$/s.exec(singleArgument(positionals, 'ISP:PACKAGE')) ?? [];
  if (isp === undefined || name === undefined) {
    throw new UsageError('The package must be written as ISP:PACKAGE');
  }
  const isAdded = await withDatabase(async (database) =>
    addPackage(database, await findOrganisation(database, org), isp, name),
  );
  if (!isAdded) throw new Error(`${org} has no ISP "${isp}"`);
  printLine(`${org} has the package ${isp}:${name}`);
  return 0;
}
