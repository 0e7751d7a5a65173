import {
  agentKeysOf,
  changeAgentSet,
  listAgentSets,
  membersOf,
  removeAgentSet,
  parseSetIds,
  type SetId,
  setIdentifiers,
  setName,
} from '../registry/agents/agent-sets.ts';
import { readTextFile } from '../load/input/text-encoding.ts';
import { jsonOption, oneOf, orgOption, required } from './arguments.ts';
import type { Command } from './command.ts';
import { printLine, printList } from './print.ts';
import { copiedSets, copySet } from '../registry/agents/copy-set.ts';
import { listCommand, runSubcommand, subcommand } from './subcommands.ts';
import { withOrganisation } from './with-stores.ts';

export const setsCommand: Command = {
  about: 'Save named sets of agents, for filters of requests',
  usage: `netpanel sets add NAME --org ORG --file FILE [--by agent|unit] [--replace] [--skip-unknown]
netpanel sets list --org ORG [--json]
netpanel sets show NAME --org ORG [--json]
netpanel sets remove NAME --org ORG
netpanel sets copy --org ORG

  --file          one id per line, - for standard input; empty lines and lines that start with # are skipped
  --by            what the ids are: agent_id (the default) or unit_id
  --replace       the set has exactly these agents; without it they are added
  --skip-unknown  leave out ids of agents that the organisation does not have, and print their number;
                  without it they are an error, and nothing changes

A request uses a set with a filter: {"id": "set", "filterType": "exclude", "filterValues": ["NAME"]}.
A change is complete or has no effect, also for queries that run at the same time. copy writes all sets to
ClickHouse again, for example after a restore.`,

  run: (args) =>
    runSubcommand(args, {
      add,
      list: listCommand(['name', 'agents', 'createdAt'], listAgentSets),
      show,
      remove,
      copy,
    }),
};

const addOptions = {
  ...orgOption,
  file: { type: 'string' },
  by: { type: 'string', default: 'agent' },
  replace: { type: 'boolean', default: false },
  'skip-unknown': { type: 'boolean', default: false },
} as const;

const add = subcommand(addOptions, 'NAME', async (values, text) => {
  const file = required(values.file, 'file');
  const by = oneOf(values.by, setIdentifiers, '--by');
  const name = setName(text);
  const ids = parseSetIds(readTextFile(file), by, file);
  return withOrganisation(values.org, async (stores) => {
    const { database, organisationId } = stores;
    const found = await agentKeysOf(
      database,
      organisationId,
      by,
      ids.map(({ id }) => id),
    );
    const unknown = ids.filter((_, i) => !found.has(i));
    if (unknown.length > 0) {
      const message = unknownIds(unknown, file);
      if (!values['skip-unknown']) {
        throw new Error(`${message}. Nothing was changed; --skip-unknown leaves them out`);
      }
      printLine(`${message}: left out`);
    }
    const { replace } = values;
    const change = await changeAgentSet(database, organisationId, name, [...found.values()], {
      replace,
    });
    await copySet(stores, organisationId, name);
    printLine(
      `${name}: ${change.added} agents added, ${change.removed} removed; the set has ${change.agents}`,
    );
  });
});

const maxShown = 10;

function unknownIds(unknown: readonly SetId[], file: string): string {
  const shown = unknown.slice(0, maxShown).map(({ id, line }) => `${id} (line ${line})`);
  const more = unknown.length > maxShown ? ` and ${unknown.length - maxShown} more` : '';
  return `${file}: the organisation does not have ${unknown.length} of the agents: ${shown.join(', ')}${more}`;
}

const show = subcommand({ ...orgOption, ...jsonOption }, 'NAME', async ({ org, json }, name) => {
  const members = await withOrganisation(org, ({ database, organisationId }) =>
    membersOf(database, organisationId, name),
  );
  if (members === undefined) throw new Error(noSuchSet(org, name));
  printList(
    ['agentId', 'unitId'],
    members.map(({ agentId, unitId }) => ({ agentId, unitId })),
    json,
  );
});

const remove = subcommand(orgOption, 'NAME', ({ org }, name) =>
  withOrganisation(org, async (stores) => {
    const { database, organisationId } = stores;
    const isRemoved = await removeAgentSet(database, organisationId, name);
    if (!isRemoved) throw new Error(noSuchSet(org, name));
    await copySet(stores, organisationId, name);
    printLine(`${name} was removed. Requests that name it are refused.`);
  }),
);

const copy = subcommand(orgOption, undefined, ({ org }) =>
  withOrganisation(org, async (stores) => {
    const { database, clickhouse, organisationId } = stores;
    const stored = (await listAgentSets(database, organisationId)).map(({ name }) => name);
    const copied = await copiedSets(clickhouse, organisationId);
    for (const name of new Set([...stored, ...copied])) {
      const agents = await copySet(stores, organisationId, name);
      printLine(`${name}: ${agents} agents`);
    }
  }),
);

function noSuchSet(org: string, name: string): string {
  return `${org} has no set ${JSON.stringify(name)}: netpanel sets list --org ${org} lists them`;
}
