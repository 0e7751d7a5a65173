import { ensureOrganisation, listOrganisations } from '../registry/organisations.ts';
import { parseOptions, rejectExtraArguments, singleArgument } from './arguments.ts';
import type { Command } from './command.ts';
import { printLine } from './print-line.ts';
import { printList } from './print-list.ts';
import { runSubcommand } from './subcommands.ts';
import { withDatabase } from './with-stores.ts';

export const orgCommand: Command = {
  about: 'Add an organisation, or list them',
  usage: `netpanel org add NAME [--no-access]
netpanel org list [--json]

  --no-access  see no metric and no test until netpanel grant; default: see all of them

NAME may contain lower-case letters, digits, - and _. Adding an existing one changes nothing.`,

  run: (args) => runSubcommand(args, { add, list }),
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

async function list(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseOptions(args, { json: { type: 'boolean', default: false } });
  rejectExtraArguments(positionals);
  const organisations = await withDatabase(listOrganisations);
  printList(
    ['name', 'agents', 'tokens', 'metrics', 'tests', 'created'],
    organisations.map(({ createdAt, ...organisation }) => ({
      ...organisation,
      created: createdAt,
    })),
    values.json,
  );
  return 0;
}
