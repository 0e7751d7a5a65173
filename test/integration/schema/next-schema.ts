import { copyFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type {
  GeneratedObject,
  GeneratedTable,
  TableColumn,
} from '../../../services/schema/clickhouse/generated/generated-object.ts';
import {
  migrateClickHouse,
  type SchemaSource,
  schemaSource,
} from '../../../services/schema/clickhouse/migrate-clickhouse.ts';
import { migrationFolder } from '../../../services/schema/clickhouse/read-migrations.ts';
import type { ClickHouseSettings } from '../../../services/shared/clickhouse/connect-clickhouse.ts';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';

/** The released schema plus the migrations of test/fixtures/migrations and changed generated objects. */
export function nextSchema(): SchemaSource {
  const folder = mkdtempSync(join(tmpdir(), 'netpanel-migrations-'));
  try {
    cpSync(migrationFolder, folder, { recursive: true });
    const { migrations, objects } = schemaSource();
    const lastVersion = Math.max(...migrations.map(({ version }) => version));
    for (const [i, file] of ['next_changes.sql', 'next_drops.after.sql'].entries()) {
      const number = String(lastVersion + 1 + i).padStart(3, '0');
      const fixture = join(repositoryRoot, 'test/fixtures/migrations', file);
      copyFileSync(fixture, join(folder, `${number}_${file}`));
    }
    return { ...schemaSource(folder), objects: nextObjects(objects) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Changed tables, a new table, a changed view, two changed materialized views, a new view, and a removed view. */
function nextObjects(objects: readonly GeneratedObject[]): readonly GeneratedObject[] {
  return [
    { ...tableNamed(objects, 'test_dns'), name: 'test_new', comment: 'A new test' },
    ...objects.filter(({ name }) => name !== 'results_mobile_www').map(nextObject),
    { kind: 'view', name: 'new_view', sql: 'SELECT access_technology FROM test_httpget' },
  ];
}

const replacements: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  results_dns: [[' response_ip,', '']],
  last_rows_httpget_feed: [[' address,', ' address, access_technology,']],
  filter_values_httpget: [
    ["('base', base),", "('base', base), ('address', address),"],
    ['organisation_id, base,', 'organisation_id, base, address,'],
  ],
};

function nextObject(object: GeneratedObject): GeneratedObject {
  if (object.kind === 'table') return { ...object, columns: nextColumns(object) };
  const sql = (replacements[object.name] ?? []).reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`${object.name} does not contain ${from}`);
    return text.replace(from, to);
  }, object.sql);
  return { ...object, sql };
}

/** test_httpget and last_rows_httpget have one more column, test_dns another type and one column less. */
function nextColumns({ name, columns }: GeneratedTable): readonly TableColumn[] {
  if (name === 'test_dns') {
    return columns
      .filter((column) => column.name !== 'response_ip')
      .map((column) =>
        column.name === 'rtt'
          ? { ...column, definition: column.definition.replace('UInt32', 'UInt64') }
          : column,
      );
  }
  if (!name.endsWith('_httpget')) return columns;
  const added = {
    name: 'access_technology',
    definition: "LowCardinality(String) DEFAULT 'unknown' COMMENT 'Such as FTTP'",
  };
  return columns.flatMap((column) => (column.name === 'address' ? [column, added] : [column]));
}

function tableNamed(objects: readonly GeneratedObject[], name: string): GeneratedTable {
  const table = objects.find((object) => object.name === name);
  if (table?.kind !== 'table') throw new Error(`${name} is not a table`);
  return table;
}

// As a program that a test can kill: migrates the database of NEXT_SCHEMA_OF.
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const settings = JSON.parse(process.env.NEXT_SCHEMA_OF ?? '{}') as ClickHouseSettings;
  await migrateClickHouse(settings, nextSchema());
}
