import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { deletion } from '../../../services/metadata/erasure/agent-tables.ts';
import {
  changeTables,
  dictionaryQueries,
  snapshotTables,
} from '../../../services/metadata/snapshot/publication-tables.ts';
import { clusterDdl } from '../../../services/schema/clickhouse/cluster-ddl.ts';
import { generatedDdl } from '../../../services/schema/clickhouse/generated-ddl.ts';
import { generatedObjects } from '../../../services/schema/clickhouse/generated/generated-objects.ts';
import {
  readMigrations,
  splitSqlStatements,
} from '../../../services/schema/clickhouse/read-migrations.ts';
import { queryRows } from '../../../services/shared/clickhouse/query-rows.ts';
import { reloadDictionary } from '../../../services/shared/clickhouse/reload-dictionary.ts';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';
import { localStack } from '../../support/local-stack.ts';

// The local engine has neither clusters nor CREATE ROLE, but it has ClickHouse's parser, which checks the
// syntax of SQL for a real server. roles.test.ts tests the grants of the roles.

describe('SQL for a real ClickHouse server', () => {
  it('has valid syntax for the schema of a cluster', async () => {
    const statements = [
      ...readMigrations()
        .flatMap(({ statements: own }) => own)
        .flatMap((statement) => clusterDdl(statement, 'panel')),
      ...generatedObjects().flatMap((object) => generatedDdl(object, 'panel')),
    ];
    expect(statements.length).to.be.greaterThan(50);
    await expectParsed(statements);
  });

  it('has valid syntax for roles, limits and the quota', async () => {
    const statements = roleStatements();
    expect(statements.length).to.be.greaterThan(40);
    await expectParsed(statements);
  });

  it('has valid syntax for reloading and checking dictionaries on a cluster', async () => {
    for (const { dictionary, sources } of [snapshotTables, changeTables]) {
      const queries = dictionaryQueries(dictionary, 'panel', [1, 2]);
      const reload = reloadDictionary(dictionary, sources, 'panel');
      await expectParsed([...reload, queries.failures, queries.contents, queries.nodeCount]);
    }
  });

  it('has valid syntax for deleting the results of erased agents on a cluster', async () => {
    const table = {
      name: 'test_dns',
      stored: 'test_dns_shard',
      isSharded: true,
      hasOrganisation: true,
    };
    const sql = deletion(table, { organisationId: 1, agentKeys: ['5', '6'] }, 'panel');
    expect(sql).to.equal(
      'ALTER TABLE test_dns_shard ON CLUSTER panel DELETE WHERE organisation_id = 1 AND agent_key IN (5, 6)',
    );
    await expectParsed([sql]);
  });

  it('uses only settings that exist in ClickHouse', async () => {
    const profiles = roleStatements().filter((sql) => sql.includes('CREATE SETTINGS PROFILE'));
    const limited = [...profiles.join('\n').matchAll(/^ {4}(\w+)(?= =| MAX)/gm)].map(
      ([, name]) => name,
    );
    expect(limited.length).to.be.greaterThan(10);
    const sent = ['insert_distributed_sync', 'distributed_product_mode'];
    const { clickhouse } = await localStack();
    const rows = await queryRows<{ name: string }>(clickhouse, 'SELECT name FROM system.settings');
    expect(rows.map(({ name }) => name)).to.include.members([...limited, ...sent]);
  });

  it('is rejected by the same parser if its syntax is invalid', async () => {
    const failure = await expectParsed(['CREATE ROLLE netpanel_query']).catch(String);
    expect(failure).to.include('Syntax error');
  });

  async function expectParsed(statements: readonly string[]): Promise<void> {
    const { clickhouse } = await localStack();
    const lines = statements.map((statement) => JSON.stringify({ statement })).join('\n');
    const rows = await queryRows<{ start: string }>(
      clickhouse,
      `SELECT substring(formatQuerySingleLine(statement), 1, 6) AS start
       FROM format(JSONEachRow, ${quoted(lines)})`,
      { clickhouse_settings: { max_query_size: '10000000' } },
    );
    const starts = statements.map((sql) => sql.replace(/^(--.*\n|\s)+/, '').slice(0, 6));
    expect(rows.map(({ start }) => start)).to.deep.equal(starts);
  }
});

function roleStatements(): string[] {
  const path = join(repositoryRoot, 'deploy/clickhouse/roles');
  return readdirSync(path)
    .filter((file) => file.endsWith('.sql'))
    .flatMap((file) => splitSqlStatements(readFileSync(join(path, file), 'utf8')));
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
