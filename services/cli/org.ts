import { noMoreWords, onlyWord, parseWords } from './arguments.ts';
import type { Command } from './command.ts';
import { ensureOrganisation } from './find-organisation.ts';
import { printList } from './print-list.ts';
import { runSubcommand } from './subcommands.ts';
import { tell } from './tell.ts';
import { withDatabase } from './with-stores.ts';

export const orgCommand: Command = {
  name: 'org',
  about: 'Add an organisation, or list them',
  usage: `netpanel org add NAME
netpanel org list [--json]

NAME is small letters, digits, - and _. Adding one that is there changes nothing.`,

  run: (args) => runSubcommand(args, { add, list }),
};

async function add(args: readonly string[]): Promise<number> {
  const name = onlyWord(parseWords(args, {}).positionals, 'NAME');
  const { isNew } = await withDatabase((database) => ensureOrganisation(database, name));
  tell(isNew ? `organisation ${name} added` : `organisation ${name} is there already`);
  return 0;
}

async function list(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseWords(args, { json: { type: 'boolean', default: false } });
  noMoreWords(positionals);
  const rows = await withDatabase((database) =>
    database('organisations as o')
      .select<{ name: string; agents: number; tokens: number; created: Date }[]>(
        'o.name',
        database.raw('(select count(*) from agents where organisation_id = o.id) as agents'),
        database.raw('(select count(*) from api_tokens where organisation_id = o.id) as tokens'),
        'o.created_at as created',
      )
      .orderBy('o.name'),
  );
  printList(
    ['name', 'agents', 'tokens', 'created'],
    rows.map((row) => ({ ...row })),
    values.json,
  );
  return 0;
}
