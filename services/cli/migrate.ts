import { migrateSchemas } from '../schema/migrate-schemas.ts';
import { listOrganisations } from '../registry/organisations.ts';
import { connectPostgres, type Database } from '../shared/postgres/connect-postgres.ts';
import { type Command, UsageError } from './command.ts';
import { readCliConfig } from './config.ts';
import { printLine } from './print-line.ts';

export const migrateCommand: Command = {
  about: 'Bring the Postgres and ClickHouse schemas up to date',
  usage: `netpanel migrate

Applies pending migrations to both databases and records each step. Running it again changes nothing;
after a failure it resumes at the failed step. Concurrent runs wait for each other. Reads DATABASE_URL,
CLICKHOUSE_URL and the other settings of docs/settings.md.`,

  async run(args) {
    if (args.length > 0)
      throw new UsageError(`migrate takes no arguments, not "${args.join(' ')}"`);
    const config = readCliConfig();
    const database = connectPostgres(config.databaseUrl, 2, 'netpanel-migrate');
    try {
      const { postgres, clickhouse } = await migrateSchemas(database, config);
      const { applied, generated, timezonesPublished } = clickhouse;
      report('Postgres', postgres);
      report('ClickHouse', [
        ...applied,
        ...(generated.length === 0 ? [] : [`${generated.length} generated views`]),
        ...(timezonesPublished ? ['time zone offsets'] : []),
      ]);
      if (postgres.includes('009-explicit-grants')) await reportClosedAccess(database);
    } finally {
      await database.destroy();
    }
    return 0;
  },
};

function report(store: string, applied: readonly string[]): void {
  const text = applied.length === 0 ? 'nothing to do' : applied.join(', ');
  process.stdout.write(`${store}: ${text}\n`);
}

/** Up to 0.1.0, an organisation with grants of only one kind saw everything of the other kind. */
async function reportClosedAccess(database: Database): Promise<void> {
  for (const { name, metrics, tests } of await listOrganisations(database)) {
    for (const [kind, granted] of [
      ['metric', metrics],
      ['test', tests],
    ]) {
      if (granted !== '0') continue;
      printLine(
        `${name} sees no ${kind} any more: no ${kind} was granted to it. ` +
          `To open every ${kind}: netpanel grant ${kind} all --org ${name}`,
      );
    }
  }
}
