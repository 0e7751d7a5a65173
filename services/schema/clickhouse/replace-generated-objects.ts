import type { ClickHouseClient } from '@clickhouse/client';
import { queryRows } from '../../shared/clickhouse/query-rows.ts';
import type { GeneratedObject } from './generated/generated-object.ts';
import { generatedObjects } from './generated/generated-objects.ts';
import { alterTableDdl, dropGeneratedDdl, generatedDdl } from './generated-ddl.ts';

/** The generated objects that exist. A dropped object has an empty text. */
export const generatedObjectRecords = `CREATE TABLE IF NOT EXISTS schema_generated_objects
(
    name String,
    kind LowCardinality(String) COMMENT 'table, view or materialized view',
    fixed String COMMENT 'Cannot change: the sorting key of a table, the table that a materialized view inserts into',
    text String COMMENT 'Statements that create it on a single server; empty when it was dropped',
    recorded_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC')
)
ENGINE = ReplacingMergeTree(recorded_at)
ORDER BY name
COMMENT 'Tables and views that netpanel migrate generated'`;

export interface GeneratedChanges {
  readonly changed: readonly ChangedObject[];
  /** Names of objects that are no longer generated. */
  readonly dropped: readonly string[];
}

type ChangedObject = GeneratedObject & {
  readonly isNew: boolean;
  /** Its text in the version before. */
  readonly before: string;
};

/** Objects that are new or have changed, and objects that are no longer generated. */
export async function generatedChanges(
  client: ClickHouseClient,
  objects = generatedObjects(),
): Promise<GeneratedChanges> {
  const recorded = await queryRows<GeneratedRecord>(
    client,
    "SELECT name, kind, fixed, text FROM schema_generated_objects FINAL WHERE text != ''",
  );
  const tables = await queryRows<{ name: string }>(
    client,
    'SELECT name FROM system.tables WHERE database = currentDatabase()',
  );
  const existing = new Set(tables.map(({ name }) => name));
  const records = new Map(recorded.map((record) => [record.name, record]));
  const names = new Set(objects.map(({ name }) => name));
  const isChanged = (object: GeneratedObject) => {
    const record = recordOf(object);
    const before = records.get(object.name);
    if (before !== undefined && before.fixed !== record.fixed) {
      throw new Error(
        `The ${object.kind} ${object.name} cannot change from ${before.fixed} to ${record.fixed}: use another name`,
      );
    }
    return before?.text !== record.text || !existing.has(object.name);
  };
  return {
    changed: objects.filter(isChanged).map((object) => ({
      ...object,
      isNew: !existing.has(object.name),
      before: records.get(object.name)?.text ?? '',
    })),
    // Only a migration drops results.
    dropped: recorded
      .filter(({ name, kind }) => kind !== 'table' && !names.has(name))
      .map(({ name }) => name),
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
  const tables = changes.changed.filter(({ kind }) => kind === 'table');
  const views = changes.changed.filter(({ kind }) => kind !== 'table');
  for (const objects of [tables, views]) {
    for (const object of objects) await replaceObject(object, cluster, run);
    await record(client, objects.map(recordOf));
  }
  for (const name of changes.dropped) await run(dropGeneratedDdl(name, cluster));
  await record(
    client,
    changes.dropped.map((name) => ({ name, kind: '', fixed: '', text: '' })),
  );
  return changes;
}

async function replaceObject(
  object: ChangedObject,
  cluster: string,
  run: (statement: string) => Promise<void>,
): Promise<void> {
  const [create = '', ...modify] = generatedDdl(object, cluster);
  await run(create);
  // On a cluster, another node may have an older version from a failed run.
  if (object.isNew && cluster === '') return;
  for (const statement of modify) await run(statement);
  if (object.isNew || object.kind !== 'table') return;
  for (const statement of alterTableDdl(object, object.before, cluster)) await run(statement);
}

interface GeneratedRecord {
  readonly name: string;
  readonly kind: string;
  readonly fixed: string;
  readonly text: string;
}

function recordOf(object: GeneratedObject): GeneratedRecord {
  const { name, kind } = object;
  // All statements, so that a change in how objects are created is a change too.
  return { name, kind, fixed: fixedPart(object), text: generatedDdl(object, '').join(';\n') };
}

function fixedPart(object: GeneratedObject): string {
  if (object.kind === 'view') return '';
  return object.kind === 'table' ? object.orderBy : object.target;
}

async function record(client: ClickHouseClient, values: GeneratedRecord[]): Promise<void> {
  if (values.length === 0) return;
  await client.insert({ table: 'schema_generated_objects', values, format: 'JSONEachRow' });
}
