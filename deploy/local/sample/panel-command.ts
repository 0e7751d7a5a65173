import { instant, parseOptions, rejectExtraArguments } from '../../../services/cli/arguments.ts';
import type { Command } from '../../../services/cli/command.ts';
import { UsageError, wholeNumber } from '../../../services/shared/errors/usage-error.ts';
import { readCliConfig } from '../../../services/cli/config.ts';
import { printLine } from '../../../services/cli/print.ts';
import { withStores } from '../../../services/cli/with-stores.ts';
import { seedSamplePanel } from './panel/seed-sample-panel.ts';

export const panelCommand: Command = {
  about: 'Load the sample panel: two organisations, 60 days of every test',
  usage: `sample panel [--ends 2026-11-15] [--seed 2026]

  --ends  date (or UTC time) of the end of the 60 days; default: now
  --seed  seed of the generator; the same seed gives the same panel

Running it again changes nothing. A panel that ends more than a day before --ends is extended to it.
Reads DATABASE_URL, CLICKHOUSE_URL and the other settings of netpanel.`,

  async run(args) {
    const { values, positionals } = parseOptions(args, {
      ends: { type: 'string' },
      seed: { type: 'string', default: '2026' },
    });
    rejectExtraArguments(positionals);
    const endsAt = values.ends === undefined ? new Date() : instant(values.ends, 'ends');
    const seed = wholeNumber(values.seed, 'seed');
    if (readCliConfig().clickhouseCluster !== '') {
      throw new UsageError('The sample panel needs a single server: unset CLICKHOUSE_CLUSTER');
    }
    return withStores(async ({ database, clickhouse }) => {
      const options = { database, clickhouse, endsAt, seed };
      const { agentsAdded, rowsAdded } = await seedSamplePanel(options);
      const rows = Object.values(rowsAdded).reduce((sum, count) => sum + count, 0);
      printLine(`${agentsAdded} agents and ${rows} results added`);
      return 0;
    });
  },
};
