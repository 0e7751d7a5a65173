import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { splitSqlStatements } from '../../../services/shared/clickhouse/split-sql-statements.ts';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';

const folder = join(repositoryRoot, 'deploy/clickhouse');
const statementsOf = (path: string) =>
  splitSqlStatements(readFileSync(join(folder, path), 'utf8')).map((sql) =>
    sql.replace(/^\s*--.*\n/gm, '').trim(),
  );
const created = readdirSync(folder)
  .filter((file) => file.endsWith('.sql'))
  .flatMap(statementsOf)
  .map((sql) => /^CREATE ([A-Z ]+?) IF NOT EXISTS (\w+)/.exec(sql) ?? [])
  .map(([, kind = '', name = '']) => ({ kind, name }));
const tables = created.filter(({ kind }) => kind === 'TABLE').map(({ name }) => name);
const dictionaries = created.filter(({ kind }) => kind === 'DICTIONARY').map(({ name }) => name);
const results = tables.filter((name) => name.startsWith('test_'));

interface Grant {
  readonly rights: readonly string[];
  readonly on: string;
}

describe('the ClickHouse roles', () => {
  it('let the query service read results and metadata, write its audit, and nothing else', () => {
    expect(results).to.have.length(16);
    expect(grantsOf('query')).to.have.deep.members([
      ...results.map((name) => grant('SELECT', name)),
      ...results.map((name) => grant('SELECT', `${name}_shard`)),
      ...['agent_metadata_snapshot', 'agent_metadata_version', 'filter_values'].map((name) =>
        grant('SELECT', name),
      ),
      ...dictionaries.map((name) => grant('dictGet', name)),
      grant('INSERT', 'query_audit'),
      { rights: ['SELECT'], on: 'system.processes' },
    ]);
  });

  it('let the metadata service write snapshots and see no results', () => {
    const grants = grantsOf('metadata');
    expect(grants.filter(({ on }) => on.startsWith('netpanel.')).map(({ on }) => on)).to.deep.equal(
      [
        'netpanel.agent_metadata_snapshot',
        'netpanel.agent_metadata_version',
        'netpanel.agent_metadata',
      ],
    );
    expect(grants.filter(({ on }) => on === '*.*').flatMap(({ rights }) => rights)).to.deep.equal([
      'SYSTEM RELOAD DICTIONARY',
      'CREATE TEMPORARY TABLE',
    ]);
  });

  it('let a service read the system tables it asks, which servers refuse unless granted', () => {
    const asked = ['snapshot-table.ts', 'dictionary-queries.ts']
      .map((file) => readFileSync(join(repositoryRoot, 'services/metadata/snapshot', file), 'utf8'))
      .flatMap((text) => text.match(/system\.\w+/g) ?? []);
    expect(new Set(asked)).to.have.length(3);
    const granted = [...grantsOf('metadata'), ...grantsOf('cluster')].map(({ on }) => on);
    expect(granted).to.include.members(asked);
  });

  it('give nobody url(), file(), s3() or other ways out, and remote() to no caller', () => {
    const everything = ['query', 'metadata', 'migrate', 'cluster'].flatMap(grantsOf);
    const rights = everything.flatMap((one) => one.rights);
    for (const source of [
      'URL',
      'FILE',
      'S3',
      'SOURCES',
      'MYSQL',
      'POSTGRES',
      'ALL',
      'HDFS',
      'READ',
    ]) {
      expect(rights).not.to.include(source);
    }
    const reaching = statementsOf('roles/cluster.sql').filter((sql) => sql.includes('REMOTE'));
    expect(reaching.join()).not.to.include('netpanel_query');
  });

  it('pin what a query may cost: a limit has an end, and an overflow is an error', () => {
    const profile = statementsOf('roles/query.sql').find((sql) => sql.includes('PROFILE IF')) ?? '';
    for (const limit of [
      'max_execution_time',
      'max_memory_usage',
      'max_rows_to_read',
      'max_result_rows',
    ]) {
      expect(profile).to.match(new RegExp(`\\b${limit} = \\d+ MIN 1 MAX \\d+`));
    }
    for (const mode of ['timeout', 'read', 'result']) {
      expect(profile).to.include(`${mode}_overflow_mode = 'throw' CONST`);
    }
    expect(profile).to.include('allow_ddl = 0 CONST');
  });

  it('count an allowance for each organisation', () => {
    const quota =
      statementsOf('roles/query.sql').find((sql) => sql.startsWith('CREATE QUOTA')) ?? '';
    expect(quota)
      .to.match(/KEYED BY client_key\b/)
      .and.to.match(/TO netpanel_query$/);
  });

  it('create no user and hold no password', () => {
    for (const file of readdirSync(join(folder, 'roles'))) {
      for (const sql of statementsOf(join('roles', file))) {
        expect(sql).to.match(/^(GRANT|CREATE (ROLE|QUOTA|SETTINGS PROFILE) IF NOT EXISTS)\b/);
        expect(sql).not.to.match(/IDENTIFIED|PASSWORD/i);
      }
    }
  });
});

function grantsOf(role: string): Grant[] {
  return statementsOf(`roles/${role}.sql`)
    .map((sql) => /^GRANT (.+) ON (\S+) TO netpanel_\w+$/.exec(sql))
    .filter((match) => match !== null)
    .map(([, rights = '', on = '']) => ({ rights: rights.split(', '), on }));
}

function grant(right: string, table: string): Grant {
  return { rights: [right], on: `netpanel.${table}` };
}
