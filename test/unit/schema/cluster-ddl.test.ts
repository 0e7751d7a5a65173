import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { dictionaryQueries } from '../../../services/metadata/snapshot/publication-tables.ts';
import { clusterDdl } from '../../../services/schema/clickhouse/cluster-ddl.ts';
import {
  alterTableDdl,
  dropGeneratedDdl,
  generatedDdl,
} from '../../../services/schema/clickhouse/generated-ddl.ts';
import type { GeneratedTable } from '../../../services/schema/clickhouse/generated/generated-object.ts';
import { generatedObjects } from '../../../services/schema/clickhouse/generated/generated-objects.ts';
import { parseStatement } from '../../../services/schema/clickhouse/parse-statement.ts';
import { readMigrations } from '../../../services/schema/clickhouse/read-migrations.ts';
import { reloadDictionary } from '../../../services/shared/clickhouse/reload-dictionary.ts';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';
import { nextSchema } from '../../integration/schema/next-schema.ts';

// After an intended change: UPDATE_GOLDEN=1 npm test -- unit/schema, then review the diff.

const golden = join(repositoryRoot, 'test/unit/schema/golden');
const migrations = readMigrations();
const statements = migrations.flatMap((migration) => migration.statements);
const onCluster = (sql: string) => clusterDdl(parseStatement(sql), 'c');

/** One object of each kind, by its golden file. */
const kinds: Readonly<Record<string, string>> = {
  'table-on-every-node': 'filter_values',
  'table-of-results': 'test_dns',
  dictionary: 'agent_metadata',
  'view-of-filter-values': 'filter_values_httpget',
  'view-of-last-rows': 'last_rows_traceroute_feed',
  'view-of-results': 'results_dns',
  'view-of-a-metric': 'metric_dnsFail',
};

describe('the schema on a ClickHouse cluster', () => {
  for (const [kind, name] of Object.entries(kinds)) {
    it(`is golden/${kind}.sql for ${name}`, () => {
      expectGolden(`${kind}.sql`, sqlFile(clusterStatements(name)));
    });
  }

  it('is the schema of a single server, with replicas and a Distributed table per table of results', () => {
    const pairs = [
      ...statements.map((statement) => [clusterDdl(statement, 'panel'), [statement.text]] as const),
      ...generatedObjects().map(
        (object) => [generatedDdl(object, 'panel'), generatedDdl(object, '')] as const,
      ),
    ];
    for (const [cluster, single] of pairs) {
      const tables = cluster.filter((sql) => !sql.includes('ENGINE = Distributed('));
      expect(tables.map(withoutCluster)).to.deep.equal(single.map(withoutCluster));
    }
  });

  it('does not change statements for a single server', () => {
    for (const statement of statements) {
      expect(clusterDdl(statement, '')).to.deep.equal([statement.text]);
    }
  });

  it('is created on every node, and every table has replicas', () => {
    const all = [
      ...statements
        .filter(({ kind }) => kind === 'create')
        .flatMap((statement) => clusterDdl(statement, 'panel')),
      ...generatedObjects().flatMap((object) => generatedDdl(object, 'panel')),
    ];
    expect(all.length).to.be.greaterThan(50);
    for (const statement of all) {
      expect(statement).to.match(/^(CREATE [A-Z ]+|ALTER TABLE) \w+ ON CLUSTER panel\b/);
      const [, engine] = /^ENGINE = (\w+)/m.exec(statement) ?? [];
      if (engine !== undefined) expect(engine).to.match(/^(Replicated\w*MergeTree|Distributed)$/);
    }
  });

  it('keeps all results of an agent on one shard behind a Distributed table', () => {
    expect(onCluster('CREATE TABLE IF NOT EXISTS test_x\n(a UInt8)\nENGINE = MergeTree')).to.eql([
      "CREATE TABLE IF NOT EXISTS test_x_shard ON CLUSTER c\n(a UInt8)\nENGINE = ReplicatedMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}')",
      "CREATE TABLE IF NOT EXISTS test_x ON CLUSTER c AS test_x_shard\nENGINE = Distributed('c', '${database}', 'test_x_shard', cityHash64(agent_key))",
    ]);
  });
});

describe('a change of the schema on a ClickHouse cluster', () => {
  const changes: Readonly<Record<string, readonly string[]>> = {
    'ALTER TABLE test_x ADD COLUMN IF NOT EXISTS a UInt8 CODEC(T64, ZSTD(1)) AFTER b': [
      'ALTER TABLE test_x_shard ON CLUSTER c ADD COLUMN IF NOT EXISTS a UInt8 CODEC(T64, ZSTD(1)) AFTER b',
      'ALTER TABLE test_x ON CLUSTER c ADD COLUMN IF NOT EXISTS a UInt8 CODEC(T64, ZSTD(1)) AFTER b',
    ],
    'ALTER TABLE last_rows_x MODIFY COLUMN a UInt16': [
      'ALTER TABLE last_rows_x_shard ON CLUSTER c MODIFY COLUMN a UInt16',
      'ALTER TABLE last_rows_x ON CLUSTER c MODIFY COLUMN a UInt16',
    ],
    'ALTER TABLE test_x RENAME COLUMN IF EXISTS a TO b': [
      'ALTER TABLE test_x_shard ON CLUSTER c RENAME COLUMN IF EXISTS a TO b',
      'ALTER TABLE test_x ON CLUSTER c RENAME COLUMN IF EXISTS a TO b',
    ],
    "ALTER TABLE test_x COMMENT COLUMN a 'text'": [
      "ALTER TABLE test_x_shard ON CLUSTER c COMMENT COLUMN a 'text'",
      "ALTER TABLE test_x ON CLUSTER c COMMENT COLUMN a 'text'",
    ],
    'ALTER TABLE test_x DROP COLUMN IF EXISTS a': [
      'ALTER TABLE test_x ON CLUSTER c DROP COLUMN IF EXISTS a',
      'ALTER TABLE test_x_shard ON CLUSTER c DROP COLUMN IF EXISTS a',
    ],
    'ALTER TABLE test_x MODIFY COLUMN a CODEC(ZSTD(3))': [
      'ALTER TABLE test_x_shard ON CLUSTER c MODIFY COLUMN a CODEC(ZSTD(3))',
    ],
    'ALTER TABLE test_x ADD INDEX IF NOT EXISTS i a TYPE minmax GRANULARITY 1': [
      'ALTER TABLE test_x_shard ON CLUSTER c ADD INDEX IF NOT EXISTS i a TYPE minmax GRANULARITY 1',
    ],
    'ALTER TABLE test_x MATERIALIZE INDEX i': [
      'ALTER TABLE test_x_shard ON CLUSTER c MATERIALIZE INDEX i',
    ],
    'ALTER TABLE test_x MODIFY TTL toDate(dtime) + INTERVAL 5 YEAR': [
      'ALTER TABLE test_x_shard ON CLUSTER c MODIFY TTL toDate(dtime) + INTERVAL 5 YEAR',
    ],
    'ALTER TABLE test_x MODIFY SETTING a = 1, b = 2': [
      'ALTER TABLE test_x_shard ON CLUSTER c MODIFY SETTING a = 1, b = 2',
    ],
    // A table replicated on all nodes replicates an ALTER itself, except for settings.
    'ALTER TABLE query_audit ADD COLUMN IF NOT EXISTS a UInt8': [
      'ALTER TABLE query_audit ADD COLUMN IF NOT EXISTS a UInt8',
    ],
    'ALTER TABLE query_audit MODIFY SETTING a = 1': [
      'ALTER TABLE query_audit ON CLUSTER c MODIFY SETTING a = 1',
    ],
    'DROP TABLE IF EXISTS test_x': [
      'DROP TABLE IF EXISTS test_x ON CLUSTER c SYNC',
      'DROP TABLE IF EXISTS test_x_shard ON CLUSTER c SYNC',
    ],
    'DROP TABLE IF EXISTS loaded_blocks': ['DROP TABLE IF EXISTS loaded_blocks ON CLUSTER c SYNC'],
    'DROP DICTIONARY IF EXISTS d': ['DROP DICTIONARY IF EXISTS d ON CLUSTER c SYNC'],
    'CREATE OR REPLACE VIEW v AS SELECT 1': ['CREATE OR REPLACE VIEW v ON CLUSTER c AS SELECT 1'],
    'CREATE OR REPLACE DICTIONARY d (a UInt8)': [
      'CREATE OR REPLACE DICTIONARY d ON CLUSTER c (a UInt8)',
    ],
    'INSERT INTO test_x (a, b) SELECT a, b FROM test_y': [
      'INSERT INTO test_x (a, b) SELECT a, b FROM test_y',
    ],
  };
  for (const [statement, expected] of Object.entries(changes)) {
    it(statement, () => expect(onCluster(statement)).to.deep.equal(expected));
  }
});

describe('a changed table of results on a ClickHouse cluster', () => {
  it('gets a new column on the shards before the Distributed table, and indexes on the shards', () => {
    const table = nextSchema().objects.find(({ name }) => name === 'test_httpget');
    const earlier = generatedObjects().find(({ name }) => name === 'test_httpget')!;
    const column =
      "access_technology LowCardinality(String) DEFAULT 'unknown' COMMENT 'Such as FTTP'";
    const comment = "MODIFY COMMENT 'Download speed over HTTP'";
    expect(
      alterTableDdl(table as GeneratedTable, generatedDdl(earlier, '').join(), 'panel'),
    ).to.deep.equal([
      `ALTER TABLE test_httpget_shard ON CLUSTER panel ADD COLUMN IF NOT EXISTS ${column} AFTER address`,
      `ALTER TABLE test_httpget ON CLUSTER panel ADD COLUMN IF NOT EXISTS ${column} AFTER address`,
      `ALTER TABLE test_httpget_shard ON CLUSTER panel MODIFY COLUMN ${column}`,
      `ALTER TABLE test_httpget ON CLUSTER panel MODIFY COLUMN ${column}`,
      'ALTER TABLE test_httpget_shard ON CLUSTER panel ADD INDEX IF NOT EXISTS dtime_range dtime TYPE minmax GRANULARITY 1',
      'ALTER TABLE test_httpget_shard ON CLUSTER panel ADD INDEX IF NOT EXISTS sequence_range sequence TYPE minmax GRANULARITY 4',
      `ALTER TABLE test_httpget_shard ON CLUSTER panel ${comment}`,
      `ALTER TABLE test_httpget ON CLUSTER panel ${comment}`,
    ]);
  });

  it('is dropped without its shards if it is a view', () => {
    expect(dropGeneratedDdl('results_mobile_www', 'panel')).to.equal(
      'DROP TABLE IF EXISTS results_mobile_www ON CLUSTER panel',
    );
  });
});

describe('a dictionary on a ClickHouse cluster', () => {
  it('is reloaded on every node after its tables have been replicated there', () => {
    expect(reloadDictionary('agent_metadata', ['rows', 'versions'], 'panel')).to.deep.equal([
      'SYSTEM SYNC REPLICA ON CLUSTER panel rows',
      'SYSTEM SYNC REPLICA ON CLUSTER panel versions',
      'SYSTEM RELOAD DICTIONARY ON CLUSTER panel agent_metadata',
    ]);
  });

  it('is reloaded by one statement on a single server', () => {
    expect(reloadDictionary('agent_metadata', ['rows', 'versions'], '')).to.deep.equal([
      'SYSTEM RELOAD DICTIONARY agent_metadata',
    ]);
  });

  it('is checked on every node', () => {
    const { failures, contents, nodeCount } = dictionaryQueries('agent_metadata', 'panel', [1, 2]);
    expect(failures).to.include("FROM clusterAllReplicas('panel', system.dictionaries) WHERE");
    expect(contents)
      .to.include("FROM clusterAllReplicas('panel', currentDatabase(), 'agent_metadata')")
      .and.to.include('GROUP BY hostName(), tcpPort(), organisation_id');
    expect(nodeCount).to.equal(
      "SELECT count() AS count FROM system.clusters WHERE cluster = 'panel'",
    );
  });
});

function clusterStatements(name: string): readonly string[] {
  return [
    ...statements
      .filter((statement) => statement.name === name && statement.kind === 'create')
      .flatMap((statement) => clusterDdl(statement, 'panel')),
    ...generatedObjects()
      .filter((object) => object.name === name)
      .flatMap((object) => generatedDdl(object, 'panel')),
  ];
}

/** As on a single server: `ReplicatedMergeTree('/clickhouse/…', '{replica}')` → `MergeTree`. */
function withoutCluster(sql: string): string {
  return sql
    .replaceAll(' ON CLUSTER panel', '')
    .replace(/Replicated(\w+)\('\/clickhouse[^']+', '[^']+'\)/, '$1')
    .replace(/Replicated(\w+)\('\/clickhouse[^']+', '[^']+', /, '$1(')
    .replace(/ SYNC$/, '')
    .replaceAll(/\b((?:test|last_rows|results)_\w+)_shard\b/g, '$1');
}

function sqlFile(statements: readonly string[]): string {
  return statements.map((statement) => `${statement};\n`).join('\n');
}

function expectGolden(name: string, text: string): void {
  const file = join(golden, name);
  if (process.env.UPDATE_GOLDEN === '1') {
    mkdirSync(golden, { recursive: true });
    writeFileSync(file, text);
  }
  expect(text).to.equal(readFileSync(file, 'utf8'));
}
