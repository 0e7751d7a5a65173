import { migrateClickHouse } from '../shared/clickhouse/migrate-clickhouse.ts';
import { connectPostgres } from '../shared/postgres/connect-postgres.ts';
import { migratePostgres } from '../shared/postgres/migrate-postgres.ts';
import { type Command, UsageError } from './command.ts';
import { readCliConfig } from './config.ts';

export const migrateCommand: Command = {
  name: 'migrate',
  about: 'Bring the Postgres and ClickHouse schemas up to date',
  usage: `netpanel migrate

Applies what is missing to both databases and records it. Running it again changes nothing, and
several at once do no harm. Reads DATABASE_URL, CLICKHOUSE_URL and the other settings of docs/settings.md.`,

  async run(args) {
    if (args.length > 0)
      throw new UsageError(`migrate takes no arguments, not "${args.join(' ')}"`);
    const config = readCliConfig();
    const database = connectPostgres(config.databaseUrl, 2, 'netpanel-migrate');
    try {
      report('Postgres', await migratePostgres(database));
    } finally {
      await database.destroy();
    }
    const { applied, timezonesPublished } = await migrateClickHouse(config);
    report('ClickHouse', timezonesPublished ? [...applied, 'time zone offsets'] : applied);
    return 0;
  },
};

function report(store: string, applied: readonly string[]): void {
  const what = applied.length === 0 ? 'nothing to do' : applied.join(', ');
  process.stdout.write(`${store}: ${what}\n`);
}
