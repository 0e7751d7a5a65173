import { randomBytes } from 'node:crypto';
import { localClickHouse } from '../../deploy/local/local-clickhouse.ts';
import {
  type ClickHouseSettings,
  connectClickHouse,
} from '../../services/shared/clickhouse/connect-clickhouse.ts';
import { localStack } from './local-stack.ts';
import { databaseToken, migratedTemplate, readClickHouse } from './migrated-template.ts';

const unused: ClickHouseSettings[] = [];

/** Settings of a migrated ClickHouse database that no other test uses until it is returned. */
export async function takeClickHouseCopy(): Promise<ClickHouseSettings> {
  return unused.pop() ?? copyTemplate();
}

/**
 * Makes the database usable for the next test: to empty it is faster than to copy one. One whose schema was changed
 * is dropped.
 */
export async function returnClickHouseCopy(settings: ClickHouseSettings): Promise<void> {
  const { content } = await migratedTemplate();
  const found = await readClickHouse(settings);
  const hasSchema =
    JSON.stringify(found.objects) === JSON.stringify(content.objects) &&
    content.tables.every(({ table, digest }) =>
      found.tables.some((rows) => rows.table === table && rows.digest === digest),
    );
  const { clickhouse } = await localStack();
  const run = (query: string) => clickhouse.command({ query });
  const database = settings.clickhouseDatabase;
  if (!hasSchema) {
    await run(`DROP DATABASE IF EXISTS ${database}`);
    return;
  }
  const isOfMigration = (table: string) => content.tables.some((rows) => rows.table === table);
  for (const { table } of found.tables) {
    if (!isOfMigration(table)) await run(`TRUNCATE TABLE ${database}.${table}`);
  }
  for (const { name } of content.objects.filter(isMetadataDictionary)) {
    await run(`SYSTEM RELOAD DICTIONARY ${database}.${name}`);
  }
  unused.push(settings);
}

async function copyTemplate(): Promise<ClickHouseSettings> {
  const { clickhouseUrl } = await localStack();
  const { clickhouseDatabase: template, content } = await migratedTemplate();
  const name = `test_${randomBytes(6).toString('hex')}`;
  const settings = { ...localClickHouse(clickhouseUrl), clickhouseDatabase: name };
  const client = connectClickHouse({ ...settings, clickhouseDatabase: 'default' }, name);
  const run = (query: string) => client.command({ query });
  const create = (isWanted: (engine: string) => boolean) =>
    Promise.all(
      content.objects
        .filter(({ engine }) => isWanted(engine))
        // system.tables hides the password of the dictionaries.
        .map(({ sql }) =>
          run(
            sql
              .replaceAll(databaseToken, name)
              .replace("'[HIDDEN]'", `'${settings.clickhousePassword}'`),
          ),
        ),
    );
  try {
    await run(`CREATE DATABASE ${name}`);
    await create((engine) => engine.endsWith('MergeTree'));
    // Before the materialised views, which would add rows.
    for (const { table } of content.tables) {
      await run(`INSERT INTO ${name}.${table} SELECT * FROM ${template}.${table}`);
    }
    await create((engine) => engine === 'Dictionary');
    await create((engine) => engine === 'View');
    await create((engine) => engine === 'MaterializedView');
    await run(`SYSTEM RELOAD DICTIONARY ${name}.timezone_span`);
  } finally {
    await client.close();
  }
  return settings;
}

/** That of time zones is filled by the migration. */
function isMetadataDictionary({ name, engine }: { name: string; engine: string }): boolean {
  return engine === 'Dictionary' && !name.startsWith('timezone_');
}
