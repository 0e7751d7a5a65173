import { metrics } from '../catalog/metrics.ts';
import { grantedKeys, grantKeys, type GrantKind, revokeKeys } from '../registry/grants.ts';
import { findOrganisation } from '../registry/organisations.ts';
import type { Database } from '../shared/postgres/connect-postgres.ts';
import { parseOptions, required } from './arguments.ts';
import { type Command, UsageError } from './command.ts';
import { testKeys } from './load/test-columns.ts';
import { printLine } from './print-line.ts';
import { printList } from './print-list.ts';
import { withStores } from './with-stores.ts';

export const grantCommand: Command = {
  name: 'grant',
  about: 'Set which metrics and tests an organisation may see',
  usage: `netpanel grant metric|test add --org NAME KEY…
netpanel grant metric|test remove --org NAME KEY…
netpanel grant metric|test list --org NAME [--json]

An organisation without grants of a kind sees everything of that kind. The first grant limits it to
the granted keys.`,

  async run([kind, action, ...args]) {
    if (kind !== 'metric' && kind !== 'test')
      throw new UsageError('The first argument must be metric or test');
    const { values, positionals: keys } = parseOptions(args, {
      org: { type: 'string' },
      json: { type: 'boolean', default: false },
    });
    const org = required(values.org, 'org');
    if (action !== 'add' && action !== 'remove' && action !== 'list') {
      throw new UsageError('The second argument must be add, remove or list');
    }
    if (action !== 'list' && keys.length === 0) throw new UsageError('KEY is missing');
    return withStores(async (database, clickhouse) => {
      const organisationId = await findOrganisation(database, org);
      if (action === 'add') {
        const known = kind === 'test' ? await testKeys(clickhouse) : metrics.map(({ key }) => key);
        rejectUnknownKeys(keys, kind, known);
        await grantKeys(database, organisationId, kind, keys);
      } else if (action === 'remove') {
        await revokeKeys(database, organisationId, kind, keys);
      }
      await printGrants(database, org, organisationId, kind, action === 'list' && values.json);
      return 0;
    });
  },
};

function rejectUnknownKeys(keys: readonly string[], kind: GrantKind, known: readonly string[]) {
  const unknown = keys.filter((key) => !known.includes(key));
  if (unknown.length > 0) {
    throw new UsageError(`Unknown ${kind}: ${unknown.join(', ')}. Allowed: ${known.join(', ')}.`);
  }
}

async function printGrants(
  database: Database,
  org: string,
  organisationId: number,
  kind: GrantKind,
  asJson: boolean,
): Promise<void> {
  const keys = (await grantedKeys(database, organisationId))[kind];
  if (asJson) {
    const rows = keys === 'all' ? [] : keys.map((key) => ({ key }));
    printList(['key'], rows, asJson);
  } else {
    printLine(
      `${org} sees ${keys === 'all' ? `every ${kind}` : `these ${kind}s: ${keys.join(', ')}`}`,
    );
  }
}
