import type { ClickHouseClient } from '@clickhouse/client';
import type { GeneratedObject } from './generated/generated-object.ts';
import { generatedObjects } from './generated/generated-objects.ts';
import { dropGeneratedDdl, generatedDdl } from './generated-ddl.ts';
import { sha256 } from './read-migrations.ts';

/** The generated objects that exist. A dropped object has an empty sha256. */
export const generatedObjectRecords = `CREATE TABLE IF NOT EXISTS schema_generated_objects
(
    name String,
    target String COMMENT 'Table that a materialized view inserts into; empty for a view',
    sha256 String COMMENT 'Of the text; empty when the object was dropped',
    recorded_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC')
)
ENGINE = ReplacingMergeTree(recorded_at)
ORDER BY name
COMMENT 'Views that netpanel migrate generated'`;

export interface GeneratedChanges {
  readonly changed: readonly ChangedObject[];
  /** Names of objects that are no longer generated. */
  readonly dropped: readonly string[];
}

type ChangedObject = GeneratedObject & { readonly isNew: boolean };

/** Objects that are new or have changed, and objects that are no longer generated. */
export async function generatedChanges(
  client: ClickHouseClient,
  objects = generatedObjects(),
): Promise<GeneratedChanges> {
  const recorded = await rowsOf<GeneratedRecord>(
    client,
    "SELECT name, target, sha256 FROM schema_generated_objects FINAL WHERE sha256 != ''",
  );
  const tables = await rowsOf<{ name: string }>(
    client,
    'SELECT name FROM system.tables WHERE database = currentDatabase()',
  );
  const existing = new Set(tables.map(({ name }) => name));
  const records = new Map(recorded.map((record) => [record.name, record]));
  const names = new Set(objects.map(({ name }) => name));
  const isChanged = (object: GeneratedObject) => {
    const record = recordOf(object);
    const before = records.get(object.name);
    if (before !== undefined && before.target !== record.target) {
      throw new Error(
        `The materialized view ${object.name} inserts into ${before.target}: use another name for ` +
          `the view that inserts into ${record.target}`,
      );
    }
    return before?.sha256 !== record.sha256 || !existing.has(object.name);
  };
  return {
    changed: objects
      .filter(isChanged)
      .map((object) => ({ ...object, isNew: !existing.has(object.name) })),
    dropped: recorded.map(({ name }) => name).filter((name) => !names.has(name)),
  };
}

/** Replaces changed objects, then drops obsolete ones, in this order so that no insert is missed. */
export async function replaceGeneratedObjects(
  client: ClickHouseClient,
  cluster: string,
  run: (statement: string) => Promise<void>,
  objects = generatedObjects(),
): Promise<GeneratedChanges> {
  const changes = await generatedChanges(client, objects);
  for (const object of changes.changed) {
    const [create = '', ...modify] = generatedDdl(object, cluster);
    await run(create);
    // On a cluster, another node may have an older version from a failed run.
    if (object.isNew && cluster === '') continue;
    for (const statement of modify) await run(statement);
  }
  for (const name of changes.dropped) await run(dropGeneratedDdl(name, cluster));
  await record(client, [
    ...changes.changed.map(recordOf),
    ...changes.dropped.map((name) => ({ name, target: '', sha256: '' })),
  ]);
  return changes;
}

interface GeneratedRecord {
  readonly name: string;
  readonly target: string;
  readonly sha256: string;
}

function recordOf(object: GeneratedObject): GeneratedRecord {
  const target = object.kind === 'view' ? '' : object.target;
  // The hash covers all statements, so that a change in how objects are created is a change too.
  return { name: object.name, target, sha256: sha256(generatedDdl(object, '').join(';\n')) };
}

async function record(client: ClickHouseClient, values: GeneratedRecord[]): Promise<void> {
  if (values.length === 0) return;
  await client.insert({ table: 'schema_generated_objects', values, format: 'JSONEachRow' });
}

async function rowsOf<T>(client: ClickHouseClient, query: string): Promise<T[]> {
  const result = await client.query({ query, format: 'JSONEachRow' });
  return result.json<T>();
}
