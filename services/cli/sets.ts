import { readFileSync } from 'node:fs';
import type { ClickHouseClient } from '@clickhouse/client';
import {
  agentKeysOf,
  changeAgentSet,
  listAgentSets,
  membersOf,
  removeAgentSet,
  type SetIdentifier,
} from '../registry/agent-sets.ts';
import { findOrganisation } from '../registry/organisations.ts';
import type { Database } from '../shared/postgres/connect-postgres.ts';
import { parseOptions, rejectExtraArguments, required, singleArgument } from './arguments.ts';
import { type Command, UsageError } from './command.ts';
import { readCliConfig } from './config.ts';
import { listCommand } from './list-command.ts';
import { printLine } from './print-line.ts';
import { printList } from './print-list.ts';
import { copiedSets, copySet, type SetStores } from './sets/copy-set.ts';
import { parseSetIds, type SetId } from './sets/parse-set-ids.ts';
import { runSubcommand } from './subcommands.ts';
import { withDatabase, withStores } from './with-stores.ts';

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

async function add(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseOptions(args, {
    org: { type: 'string' },
    file: { type: 'string' },
    by: { type: 'string', default: 'agent' },
    replace: { type: 'boolean', default: false },
    'skip-unknown': { type: 'boolean', default: false },
  });
  const org = required(values.org, 'org');
  const file = required(values.file, 'file');
  const by = identifier(values.by);
  const name = setName(singleArgument(positionals, 'NAME'));
  const ids = parseSetIds(readFileSync(file === '-' ? 0 : file, 'utf8'), by, file);
  return withStores(async (database, clickhouse) => {
    const organisationId = await findOrganisation(database, org);
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
    await copySet(setStores(database, clickhouse), organisationId, name);
    printLine(
      `${name}: ${change.added} agents added, ${change.removed} removed; the set has ${change.agents}`,
    );
    return 0;
  });
}

function identifier(text: string): SetIdentifier {
  if (text === 'agent' || text === 'unit') return text;
  throw new UsageError(`--by must be one of agent, unit, not "${text}"`);
}

/** The same letters in two forms would be two sets. */
function setName(text: string): string {
  const name = text.normalize('NFC');
  if (/^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._-]{0,99}$/u.test(name)) return name;
  throw new UsageError(
    'The name of a set has 1 to 100 letters, digits, spaces, dots, underscores or hyphens, and starts with a letter or digit',
  );
}

const maxShown = 10;

function unknownIds(unknown: readonly SetId[], file: string): string {
  const shown = unknown.slice(0, maxShown).map(({ id, line }) => `${id} (line ${line})`);
  const more = unknown.length > maxShown ? ` and ${unknown.length - maxShown} more` : '';
  return `${file}: the organisation does not have ${unknown.length} of the agents: ${shown.join(', ')}${more}`;
}

async function show(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseOptions(args, {
    org: { type: 'string' },
    json: { type: 'boolean', default: false },
  });
  const org = required(values.org, 'org');
  const name = singleArgument(positionals, 'NAME');
  const members = await withDatabase(async (database) =>
    membersOf(database, await findOrganisation(database, org), name),
  );
  if (members === undefined) throw new Error(noSuchSet(org, name));
  printList(
    ['agentId', 'unitId'],
    members.map(({ agentId, unitId }) => ({ agentId, unitId })),
    values.json,
  );
  return 0;
}

async function remove(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseOptions(args, { org: { type: 'string' } });
  const org = required(values.org, 'org');
  const name = singleArgument(positionals, 'NAME');
  return withStores(async (database, clickhouse) => {
    const organisationId = await findOrganisation(database, org);
    const isRemoved = await removeAgentSet(database, organisationId, name);
    if (!isRemoved) throw new Error(noSuchSet(org, name));
    await copySet(setStores(database, clickhouse), organisationId, name);
    printLine(`${name} was removed. Requests that name it are refused.`);
    return 0;
  });
}

async function copy(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseOptions(args, { org: { type: 'string' } });
  rejectExtraArguments(positionals);
  const org = required(values.org, 'org');
  return withStores(async (database, clickhouse) => {
    const organisationId = await findOrganisation(database, org);
    const stored = (await listAgentSets(database, organisationId)).map(({ name }) => name);
    const copied = await copiedSets(clickhouse, organisationId);
    for (const name of new Set([...stored, ...copied])) {
      const agents = await copySet(setStores(database, clickhouse), organisationId, name);
      printLine(`${name}: ${agents} agents`);
    }
    return 0;
  });
}

function setStores(database: Database, clickhouse: ClickHouseClient): SetStores {
  return { database, clickhouse, cluster: readCliConfig().clickhouseCluster };
}

function noSuchSet(org: string, name: string): string {
  return `${org} has no set ${JSON.stringify(name)}: netpanel sets list --org ${org} lists them`;
}
