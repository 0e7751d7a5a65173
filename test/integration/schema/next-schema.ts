import { copyFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { GeneratedObject } from '../../../services/schema/clickhouse/generated/generated-object.ts';
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

/** A changed view, two changed materialized views, a new view, and a removed view. */
function nextObjects(objects: readonly GeneratedObject[]): readonly GeneratedObject[] {
  const replacements: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
    results_dns: [[' response_ip,', '']],
    last_rows_httpget_feed: [[' address,', ' address, access_technology,']],
    filter_values_httpget: [
      ["('base', base),", "('base', base), ('address', address),"],
      ['organisation_id, base,', 'organisation_id, base, address,'],
    ],
  };
  const changed = objects.map((object) => {
    const sql = (replacements[object.name] ?? []).reduce((text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`${object.name} does not contain ${from}`);
      return text.replace(from, to);
    }, object.sql);
    return { ...object, sql };
  });
  return [
    ...changed.filter(({ name }) => name !== 'results_mobile_www'),
    { kind: 'view', name: 'new_view', sql: 'SELECT access_technology FROM test_httpget' },
  ];
}

// As a program that a test can kill: migrates the database of NEXT_SCHEMA_OF.
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const settings = JSON.parse(process.env.NEXT_SCHEMA_OF ?? '{}') as ClickHouseSettings;
  await migrateClickHouse(settings, nextSchema());
}
