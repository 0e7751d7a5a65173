import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { dictionaryQueries } from '../../../services/metadata/snapshot/dictionary-queries.ts';
import { clusterDdl } from '../../../services/shared/clickhouse/cluster-ddl.ts';
import { reloadDictionary } from '../../../services/shared/clickhouse/reload-dictionary.ts';
import { splitSqlStatements } from '../../../services/shared/clickhouse/split-sql-statements.ts';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';

// After an intended change: UPDATE_GOLDEN=1 npm test -- unit/clickhouse, and read the difference.

const golden = join(repositoryRoot, 'test/unit/clickhouse/golden');
const folder = join(repositoryRoot, 'deploy/clickhouse');
const files = readdirSync(folder).filter((file) => file.endsWith('.sql'));
const statementsOf = (file: string) =>
  splitSqlStatements(readFileSync(join(folder, file), 'utf8')).map(withoutComments);

describe('the schema on a ClickHouse cluster', () => {
  for (const file of files) {
    it(`is ${file} as shards, replicas and Distributed tables, word for word`, () => {
      const text = statementsOf(file)
        .flatMap((statement) => clusterDdl(statement, 'panel'))
        .map((statement) => `${statement};\n`)
        .join('\n');
      expectGolden(file, text);
    });
  }

  it('leaves every statement as it stands for a single server', () => {
    for (const statement of files.flatMap(statementsOf)) {
      expect(clusterDdl(statement, '')).to.deep.equal([statement]);
    }
  });

  it('creates everything on every node, and no table without replicas', () => {
    const all = files.flatMap(statementsOf).flatMap((statement) => clusterDdl(statement, 'panel'));
    expect(all.length).to.be.greaterThan(50);
    for (const statement of all) {
      expect(statement).to.match(/^(CREATE [A-Z ]+|ALTER TABLE) \w+ ON CLUSTER panel\b/);
      const [, engine] = /^ENGINE = (\w+)/m.exec(statement) ?? [];
      if (engine !== undefined) expect(engine).to.match(/^(Replicated\w*MergeTree|Distributed)$/);
    }
  });

  it('keeps the results of one agent on one shard, under the name queries use', () => {
    expect(
      clusterDdl('CREATE TABLE IF NOT EXISTS test_x\n(a UInt8)\nENGINE = MergeTree', 'c'),
    ).to.eql([
      "CREATE TABLE IF NOT EXISTS test_x_shard ON CLUSTER c\n(a UInt8)\nENGINE = ReplicatedMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}')",
      "CREATE TABLE IF NOT EXISTS test_x ON CLUSTER c AS test_x_shard\nENGINE = Distributed('c', '${database}', 'test_x_shard', cityHash64(agent_key))",
    ]);
  });

  it('refuses a statement it does not know, rather than run it on one node', () => {
    expect(() => clusterDdl('ALTER TABLE test_dns ADD COLUMN a UInt8', 'panel')).to.throw(
      'No way to run this on a cluster: ALTER TABLE test_dns',
    );
  });
});

describe('a dictionary on a ClickHouse cluster', () => {
  it('is reloaded on every node after its tables have arrived there', () => {
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

  it('is checked on every node, word for word', () => {
    const { failures, contents, nodeCount } = dictionaryQueries('panel');
    expectGolden('dictionary-checks.sql', `${failures};\n\n${contents};\n\n${nodeCount};\n`);
  });
});

function expectGolden(name: string, text: string): void {
  const file = join(golden, name);
  if (process.env.UPDATE_GOLDEN === '1') {
    mkdirSync(golden, { recursive: true });
    writeFileSync(file, text);
  }
  expect(text).to.equal(readFileSync(file, 'utf8'));
}

function withoutComments(statement: string): string {
  return statement.replace(/^(--.*\n|\s*\n)+/, '');
}
