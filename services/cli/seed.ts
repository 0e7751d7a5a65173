import { parseArgs } from 'node:util';
import { connectClickHouse } from '../shared/clickhouse/connect-clickhouse.ts';
import { connectPostgres } from '../shared/postgres/connect-postgres.ts';
import { type Command, UsageError } from './command.ts';
import { readCliConfig } from './config.ts';
import { seedSamplePanel } from './sample/seed-sample-panel.ts';

export const seedCommand: Command = {
  name: 'seed',
  about: 'Load the sample panel: two organisations, 60 days of every test',
  usage: `netpanel seed [--ends 2026-11-15] [--seed 2026]

  --ends  the day (or UTC instant) the 60 days end; now unless given
  --seed  the same number gives the same panel

Fills what is missing and leaves what is there, so running it again changes nothing. A panel that
ended more than a day before --ends is continued up to it.`,

  async run(args) {
    const { endsAt, seed } = readOptions(args);
    const config = readCliConfig();
    if (config.clickhouseCluster !== '') {
      throw new UsageError('The sample panel is for a single server: CLICKHOUSE_CLUSTER is set');
    }
    const database = connectPostgres(config.databaseUrl, 2, 'netpanel-seed');
    const clickhouse = connectClickHouse(config, 'netpanel-seed');
    try {
      const { agentsAdded, rowsAdded } = await seedSamplePanel({
        database,
        clickhouse,
        endsAt,
        seed,
      });
      const rows = Object.values(rowsAdded).reduce((sum, count) => sum + count, 0);
      process.stdout.write(`${agentsAdded} agents and ${rows} results added\n`);
      return 0;
    } finally {
      await clickhouse.close();
      await database.destroy();
    }
  },
};

function readOptions(args: readonly string[]): { endsAt: Date; seed: number } {
  const { values } = parsed(args);
  const endsAt = values.ends === undefined ? new Date() : new Date(values.ends);
  if (Number.isNaN(endsAt.getTime())) throw new UsageError(`--ends ${values.ends} is no date`);
  const seed = Number(values.seed ?? '2026');
  if (!Number.isSafeInteger(seed)) throw new UsageError(`--seed ${values.seed} is no whole number`);
  return { endsAt, seed };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: { ends: { type: 'string' }, seed: { type: 'string' } },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
