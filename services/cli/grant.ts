import { metrics } from '../catalog/metrics.ts';
import { testKeys } from '../catalog/test-tables.ts';
import {
  changeGrants,
  type GrantChange,
  type Granted,
  type GrantKind,
  grantsOf,
} from '../registry/organisations/grants.ts';
import { oneOf, parseOptions, rejectExtraArguments, required } from './arguments.ts';
import type { Command } from './command.ts';
import { UsageError } from '../shared/errors/usage-error.ts';
import { printLine, printList } from './print.ts';
import { withOrganisation } from './with-stores.ts';

const kinds: readonly GrantKind[] = ['metric', 'test'];
const actions = ['list', 'all', 'none', 'only', 'add', 'remove'] as const;
type Action = (typeof actions)[number];

export const grantCommand: Command = {
  about: 'Set which metrics and tests an organisation may see',
  usage: `netpanel grant metric|test list --org NAME [--json]
netpanel grant metric|test all --org NAME
netpanel grant metric|test none --org NAME
netpanel grant metric|test only --org NAME KEY…
netpanel grant metric|test add --org NAME KEY…
netpanel grant metric|test remove --org NAME KEY…

  all     every metric (or test), including those of later versions
  none    no metric (or test)
  only    exactly these keys
  add     these keys too; remove: not these keys

Metrics and tests are granted separately. Without the last key an organisation sees nothing of that kind.`,

  async run([first = '', second = '', ...args]) {
    const kind = oneOf(first, kinds, 'The first argument');
    const action = oneOf(second, actions, 'The second argument');
    const { values, positionals: keys } = parseOptions(args, {
      org: { type: 'string' },
      json: { type: 'boolean', default: false },
    });
    const org = required(values.org, 'org');
    const change = changeOf(action, keys);
    return withOrganisation(org, async ({ database, organisationId }) => {
      if (change === undefined) {
        const granted = (await grantsOf(database, organisationId))[kind];
        printGranted(org, kind, granted, values.json);
        return 0;
      }
      if (action === 'only' || action === 'add') {
        const known = kind === 'test' ? testKeys.toSorted() : metrics.map(({ key }) => key);
        rejectUnknownKeys(keys, kind, known);
      }
      printGranted(org, kind, await changeGrants(database, organisationId, kind, change), false);
      return 0;
    });
  },
};

/** Undefined for `list`. */
function changeOf(action: Action, keys: readonly string[]): GrantChange | undefined {
  if (action === 'only' || action === 'add' || action === 'remove') {
    if (keys.length === 0) throw new UsageError('KEY is missing');
    return { action, keys };
  }
  rejectExtraArguments(keys);
  if (action === 'list') return undefined;
  return action === 'all' ? { action } : { action: 'only', keys: [] };
}

function rejectUnknownKeys(keys: readonly string[], kind: GrantKind, known: readonly string[]) {
  const unknown = keys.filter((key) => !known.includes(key));
  if (unknown.length > 0) {
    throw new UsageError(`Unknown ${kind}: ${unknown.join(', ')}. Allowed: ${known.join(', ')}.`);
  }
}

function printGranted(org: string, kind: GrantKind, granted: Granted, asJson: boolean): void {
  if (asJson) {
    // `*` cannot be a key.
    const keys = granted === 'all' ? ['*'] : granted;
    printList(
      ['key'],
      keys.map((key) => ({ key })),
      asJson,
    );
    return;
  }
  printLine(`${org} sees ${seenText(kind, granted)}`);
}

function seenText(kind: GrantKind, granted: Granted): string {
  if (granted === 'all') return `every ${kind}`;
  return granted.length === 0 ? `no ${kind}` : `these ${kind}s: ${granted.join(', ')}`;
}
