import { addIsp, addPackage, listIsps, listPackages } from '../registry/organisations/packages.ts';
import { orgOption } from './arguments.ts';
import type { Command } from './command.ts';
import { UsageError } from '../shared/errors/usage-error.ts';
import { printLine } from './print.ts';
import { listCommand, runSubcommand, subcommand } from './subcommands.ts';
import { withOrganisation } from './with-stores.ts';

export const ispCommand: Command = {
  about: 'Add an ISP to an organisation, or list its ISPs',
  usage: `netpanel isp add --org NAME ISP
netpanel isp list --org NAME [--json]

The name of an ISP must not contain a colon: packages are written ISP:PACKAGE.`,

  run: (args) =>
    runSubcommand(args, { add: addNewIsp, list: listCommand(['isp', 'packages'], listIsps) }),
};

const addNewIsp = subcommand(orgOption, 'ISP', async ({ org }, name) => {
  if (name.includes(':')) throw new UsageError(`ISP must not contain a colon: "${name}"`);
  await withOrganisation(org, ({ database, organisationId }) =>
    addIsp(database, organisationId, name),
  );
  printLine(`${org} has the ISP ${name}`);
});

export const packageCommand: Command = {
  about: 'Add a package to an ISP, or list packages',
  usage: `netpanel package add --org NAME ISP:PACKAGE
netpanel package list --org NAME [--json]

The ISP must exist; add it with netpanel isp add.`,

  run: (args) =>
    runSubcommand(args, { add: addNewPackage, list: listCommand(['package'], listPackages) }),
};

const addNewPackage = subcommand(orgOption, 'ISP:PACKAGE', async ({ org }, text) => {
  const [, isp, name] = /^([^:]+):(.+)$/s.exec(text) ?? [];
  if (isp === undefined || name === undefined) {
    throw new UsageError('The package must be written as ISP:PACKAGE');
  }
  const isAdded = await withOrganisation(org, ({ database, organisationId }) =>
    addPackage(database, organisationId, isp, name),
  );
  if (!isAdded) throw new Error(`${org} has no ISP "${isp}". netpanel isp list shows them.`);
  printLine(`${org} has the package ${isp}:${name}`);
});
