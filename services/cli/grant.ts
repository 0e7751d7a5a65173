import { metrics } from '../catalog/metrics.ts';
import type { Database } from '../shared/postgres/connect-postgres.ts';
import { parseWords, required } from './arguments.ts';
import { type Command, UsageError } from './command.ts';
import { findOrganisation } from './find-organisation.ts';
import { testKeys } from './load/test-columns.ts';
import { printList } from './print-list.ts';
import { tell } from './tell.ts';
import { withDatabase, withStores } from './with-stores.ts';

type Kind = 'metric' | 'test';

export const grantCommand: Command = {
  name: 'grant',
  about: 'Say which metrics and tests an organisation may see',
  usage: `netpanel grant metric|test add --org NAME KEY…
netpanel grant metric|test remove --org NAME KEY…
netpanel grant metric|test list --org NAME [--json]

An organisation without grants of a kind sees everything of that kind; the first one narrows it to
what is granted.`,

  async run([kind, action, ...args]) {
    if (kind !== 'metric' && kind !== 'test') throw new UsageError('Say metric or test');
    const { values, positionals } = parseWords(args, {
      org: { type: 'string' },
      json: { type: 'boolean', default: false },
    });
    const org = required(values.org, 'org');
    if (action === 'list') return list(org, kind, values.json);
    if (positionals.length === 0) throw new UsageError('KEY is missing');
    if (action === 'add') return add(org, kind, positionals);
    if (action === 'remove') return remove(org, kind, positionals);
    throw new UsageError('Say add, remove or list');
  },
};

async function add(org: string, kind: Kind, keys: readonly string[]): Promise<number> {
  return withStores(async (database, clickhouse) => {
    const organisation_id = await findOrganisation(database, org);
    const known = kind === 'test' ? await testKeys(clickhouse) : metrics.map(({ key }) => key);
    refuseUnknown(keys, kind, known);
    await database('grants')
      .insert(keys.map((key) => ({ organisation_id, kind, key })))
      .onConflict(['organisation_id', 'kind', 'key'])
      .ignore();
    return tellGrants(database, org, kind);
  });
}

async function remove(org: string, kind: Kind, keys: readonly string[]): Promise<number> {
  return withDatabase(async (database) => {
    const organisation_id = await findOrganisation(database, org);
    await database('grants').where({ organisation_id, kind }).whereIn('key', keys).delete();
    return tellGrants(database, org, kind);
  });
}

async function list(org: string, kind: Kind, asJson: boolean): Promise<number> {
  return withDatabase(async (database) => {
    if (!asJson) return tellGrants(database, org, kind);
    const keys = await grantedKeys(database, org, kind);
    printList(
      ['key'],
      keys.map((key) => ({ key })),
      asJson,
    );
    return 0;
  });
}

async function tellGrants(database: Database, org: string, kind: Kind): Promise<number> {
  const keys = await grantedKeys(database, org, kind);
  tell(`${org} sees ${keys.length === 0 ? `every ${kind}` : `these ${kind}s: ${keys.join(', ')}`}`);
  return 0;
}

async function grantedKeys(database: Database, org: string, kind: Kind): Promise<string[]> {
  return database<{ organisation_id: number; kind: Kind; key: string }>('grants')
    .where({ organisation_id: await findOrganisation(database, org), kind })
    .orderBy('key')
    .pluck('key');
}

function refuseUnknown(keys: readonly string[], kind: Kind, known: readonly string[]): void {
  const unknown = keys.filter((key) => !known.includes(key));
  if (unknown.length > 0) {
    throw new UsageError(`No such ${kind}: ${unknown.join(', ')}; there are ${known.join(', ')}`);
  }
}
