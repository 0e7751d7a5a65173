import { removedBefore, type RetentionRule } from '../metadata/retention/retention-rule.ts';
import { retentionRules } from '../metadata/retention/retention-rules.ts';
import { retentionSettings } from '../metadata/retention/retention-settings.ts';
import { retentionState } from '../metadata/retention/retention-state.ts';
import { runRetention } from '../metadata/retention/run-retention.ts';
import type { Database } from '../shared/postgres/connect-postgres.ts';
import { postgresNow } from '../shared/postgres/postgres-clock.ts';
import { jsonOption } from './arguments.ts';
import type { Command } from './command.ts';
import { cliSettings } from './config.ts';
import { printLine, printList } from './print.ts';
import { runSubcommand, subcommand } from './subcommands.ts';
import { operatorName, withStores } from './with-stores.ts';

export const retentionCommand: Command = {
  about: 'List how long data is kept, or remove old data now',
  usage: `netpanel retention list [--json]
netpanel retention run [--dry-run] [--json]

  --dry-run  print how many rows would be removed, and remove nothing

The metadata service does the same once a day. The settings RETENTION_… are those of docs/settings.md; run it
with the settings of the metadata service. The next run continues an interrupted one.`,

  run: (args) => runSubcommand(args, { list, run }),
};

const list = subcommand(jsonOption, undefined, ({ json }) =>
  withRules(async (database, rules) => {
    const now = await postgresNow(database);
    const states = new Map((await retentionState(database)).map((state) => [state.rule, state]));
    const rows = rules.map((rule) => ({
      ...describe(rule, now),
      'last run': states.get(rule.name)?.finishedAt ?? null,
      removed: states.get(rule.name)?.removed ?? null,
      failure: states.get(rule.name)?.failure ?? null,
    }));
    printList(['rule', 'days', 'removed before', 'last run', 'removed', 'failure'], rows, json);
  }),
);

const runOptions = { ...jsonOption, 'dry-run': { type: 'boolean', default: false } } as const;

const run = subcommand(runOptions, undefined, (values) =>
  withRules(async (database, rules) => {
    const now = await postgresNow(database);
    if (values['dry-run']) {
      const rows = [];
      for (const rule of rules) {
        const before = removedBefore(rule, now);
        const count = before === undefined ? 0 : await rule.count(before);
        rows.push({ ...describe(rule, now), 'would be removed': count });
      }
      printList(['rule', 'days', 'removed before', 'would be removed'], rows, values.json);
      return 0;
    }
    const results = await runRetention({ database, rules, actor: operatorName(), now });
    if (results === undefined) {
      printLine('another process is removing old data');
      return 1;
    }
    const rows = results.map(({ rule, removed, failure }) => ({
      ...describe(rule, now),
      removed,
      failure: failure ?? null,
    }));
    printList(['rule', 'days', 'removed before', 'removed', 'failure'], rows, values.json);
    const complete = results.filter(({ failure }) => failure === undefined);
    return complete.length < rules.length ? 1 : 0;
  }),
);

function withRules<T>(
  work: (database: Database, rules: readonly RetentionRule[]) => Promise<T>,
): Promise<T> {
  const config = cliSettings(retentionSettings);
  return withStores((stores) => work(stores.database, retentionRules(stores, config)));
}

function describe(rule: RetentionRule, now: Date) {
  return {
    rule: rule.name,
    days: rule.days === 0 ? 'for ever' : rule.days,
    'removed before': removedBefore(rule, now) ?? null,
  };
}
