import { migrateSchemas } from '../schema/migrate-schemas.ts';
import { connectPostgres } from '../shared/postgres/connect-postgres.ts';
import type { Command } from './command.ts';
import { readCliConfig } from './config.ts';
import { printLine } from './print.ts';
import { subcommand } from './subcommands.ts';

export const migrateCommand: Command = {
  about: 'Bring the Postgres and ClickHouse schemas up to date',
  usage: `netpanel migrate

Applies pending migrations to both databases and records each step. Running it again changes nothing;
after a failure it resumes at the failed step. Concurrent runs wait for each other. Reads DATABASE_URL,
CLICKHOUSE_URL and the other settings of docs/settings.md.`,

  run: subcommand({}, undefined, async () => {
    const config = readCliConfig();
    const database = connectPostgres(config.databaseUrl, 2, 'netpanel-migrate');
    try {
      const { postgres, clickhouse } = await migrateSchemas(database, config);
      const { applied, generated, timezonesPublished } = clickhouse;
      report('Postgres', postgres);
      report('ClickHouse', [
        ...applied,
        ...(generated.length === 0 ? [] : [`${generated.length} generated tables and views`]),
        ...(timezonesPublished ? ['time zone offsets'] : []),
      ]);
    } finally {
      await database.destroy();
    }
  }),
};

function report(store: string, applied: readonly string[]): void {
  const text = applied.length === 0 ? 'nothing to do' : applied.join(', ');
  printLine(`${store}: ${text}`);
}
