import {
  ensureOrganisation,
  floorOf,
  listOrganisations,
  setFloor,
} from '../registry/organisations.ts';
import {
  minimumOfAgents,
  parseOptions,
  rejectExtraArguments,
  singleArgument,
} from './arguments.ts';
import type { Command } from './command.ts';
import { printLine } from './print-line.ts';
import { printList } from './print-list.ts';
import { runSubcommand } from './subcommands.ts';
import { withDatabase } from './with-stores.ts';

export const orgCommand: Command = {
  about: 'Add an organisation, list them, or set the privacy floor of one',
  usage: `netpanel org add NAME [--no-access]
netpanel org list [--json]
netpanel org floor NAME [N|none]

  --no-access  see no metric and no test until netpanel grant; default: see all of them

NAME may contain lower-case letters, digits, - and _. Adding an existing one changes nothing.

floor sets the privacy floor: the data tokens of the organisation see no point of fewer than N agents (at least 2), no
raw data and no single agent. It works within seconds. Without N it prints the floor; none removes it.`,

  run: (args) => runSubcommand(args, { add, list, floor }),
};

async function add(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseOptions(args, {
    'no-access': { type: 'boolean', default: false },
  });
  const name = singleArgument(positionals, 'NAME');
  const access = values['no-access'] ? 'none' : 'all';
  const { isNew } = await withDatabase((database) => ensureOrganisation(database, name, access));
  const seen = access === 'all' ? 'every metric and test' : 'no metric and no test';
  printLine(
    isNew ? `organisation ${name} added: it sees ${seen}` : `organisation ${name} already exists`,
  );
  return 0;
}

async function floor(args: readonly string[]): Promise<number> {
  const [name = '', wanted, ...more] = parseOptions(args, {}).positionals;
  rejectExtraArguments(more);
  singleArgument([name], 'NAME');
  const minAgents = wanted === undefined || wanted === 'none' ? null : minimumOfAgents(wanted, 'N');
  const set = await withDatabase(async (database) => {
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

async function list(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseOptions(args, { json: { type: 'boolean', default: false } });
  rejectExtraArguments(positionals);
  const organisations = await withDatabase(listOrganisations);
  printList(
    ['name', 'agents', 'tokens', 'metrics', 'tests', 'min agents', 'created'],
    organisations.map(({ createdAt, minAgents, ...organisation }) => ({
      ...organisation,
      'min agents': minAgents,
      created: createdAt,
    })),
    values.json,
  );
  return 0;
}
