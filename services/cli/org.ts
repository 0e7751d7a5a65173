import {
  ensureOrganisation,
  floorOf,
  listOrganisations,
  setFloor,
} from '../registry/organisations/organisations.ts';
import {
  jsonOption,
  minimumOfAgents,
  parseOptions,
  rejectExtraArguments,
  singleArgument,
} from './arguments.ts';
import type { Command } from './command.ts';
import { printLine, printList } from './print.ts';
import { runSubcommand, subcommand } from './subcommands.ts';
import { withStores } from './with-stores.ts';

export const orgCommand: Command = {
  about: 'Add an organisation, list them, or set the privacy floor of one',
  usage: `netpanel org add NAME [--no-access]
netpanel org list [--json]
netpanel org floor NAME [N|none]

  --no-access  see no metric and no test until netpanel grant; default: see all of them

NAME may contain lower-case letters, digits, - and _. Adding an existing one changes nothing.

floor sets the privacy floor: the data tokens of the organisation see no point of fewer than N agents (at least 2), no
raw data and no single agent. It takes effect within seconds. Without N it prints the floor; none removes it.`,

  run: (args) => runSubcommand(args, { add, list, floor }),
};

const noAccess = { 'no-access': { type: 'boolean', default: false } } as const;

const add = subcommand(noAccess, 'NAME', async (values, name) => {
  const access = values['no-access'] ? 'none' : 'all';
  const { isNew } = await withStores(({ database }) => ensureOrganisation(database, name, access));
  const seen = access === 'all' ? 'every metric and test' : 'no metric and no test';
  printLine(
    isNew ? `organisation ${name} added: it sees ${seen}` : `organisation ${name} already exists`,
  );
});

async function floor(args: readonly string[]): Promise<number> {
  const [name = '', wanted, ...more] = parseOptions(args, {}).positionals;
  rejectExtraArguments(more);
  singleArgument([name], 'NAME');
  const minAgents = wanted === undefined || wanted === 'none' ? null : minimumOfAgents(wanted, 'N');
  const set = await withStores(async ({ database }) => {
    if (wanted !== undefined) await setFloor(database, name, minAgents);
    return floorOf(database, name);
  });
  printLine(
    set === null
      ? `${name} has no privacy floor`
      : `the data tokens of ${name} see points of at least ${set} agents`,
  );
  return 0;
}

const list = subcommand(jsonOption, undefined, async ({ json }) => {
  const organisations = await withStores(({ database }) => listOrganisations(database));
  printList(
    ['name', 'agents', 'tokens', 'metrics', 'tests', 'min agents', 'created'],
    organisations.map(({ createdAt, minAgents, ...organisation }) => ({
      ...organisation,
      'min agents': minAgents,
      created: createdAt,
    })),
    json,
  );
});
