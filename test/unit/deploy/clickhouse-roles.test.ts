import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readMigrations } from '../../../services/schema/clickhouse/read-migrations.ts';
import { splitSqlStatements } from '../../../services/schema/clickhouse/split-sql-statements.ts';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';

const folder = join(repositoryRoot, 'deploy/clickhouse');
const statementsOf = (path: string) =>
  splitSqlStatements(readFileSync(join(folder, path), 'utf8')).map((sql) =>
    sql.replace(/^\s*--.*\n/gm, '').trim(),
  );
const created = readMigrations()
  .flatMap(({ statements }) => statements)
  .filter(({ kind }) => kind === 'create');
const namesOf = (kind: string) =>
  created.filter(({ object }) => object === kind).map(({ name }) => name);
const tables = namesOf('TABLE');
// A later migration replaces one.
const dictionaries = [...new Set(namesOf('DICTIONARY'))];
const results = tables.filter((name) => name.startsWith('test_'));
const lastRows = tables.filter((name) => name.startsWith('last_rows_'));

interface Grant {
  readonly rights: readonly string[];
  readonly on: string;
}

describe('the ClickHouse roles', () => {
  it('allow the query service to read results and metadata, and to write its audit, copies of metadata and answers only', () => {
    expect(results).to.have.length(18);
    expect(grantsOf('query')).to.have.deep.members([
      ...[...results, ...lastRows].map((name) => grant('SELECT', name)),
      ...[...results, ...lastRows].map((name) => grant('SELECT', `${name}_shard`)),
      ...[
        'agent_metadata_base',
        'agent_metadata_change',
        'agent_metadata_change_publication',
        'agent_metadata_changed',
        'agent_metadata_current',
        'agent_metadata_period',
        'agent_metadata_publication',
        'agent_metadata_snapshot',
        'agent_metadata_version',
        'agent_set_agents',
        'agent_set_copy',
        'agent_set_current',
        'agent_set_member',
        'data_versions',
        'filter_values',
        'metadata_version_effect',
      ].map((name) => grant('SELECT', name)),
      ...dictionaries.map((name) => grant('dictGet', name)),
      ...['agent_metadata_known_at', 'agent_metadata_known_at_fill', 'stored_answers'].map(
        (name) => ({ rights: ['SELECT', 'INSERT'], on: `netpanel.${name}` }),
      ),
      grant('INSERT', 'query_audit'),
      ...['tables', 'columns', 'processes'].map(system),
    ]);
  });

  it('allow the loader to write results, to compare them with stored ones, and to keep its ledger', () => {
    expect(grantsOf('load')).to.have.deep.members([
      ...results
        .flatMap((name) => [name, `${name}_shard`])
        .map((name) => ({
          rights: ['INSERT', 'SELECT'],
          on: `netpanel.${name}`,
        })),
      { rights: ['SELECT', 'INSERT'], on: 'netpanel.loaded_blocks' },
      { rights: ['CREATE TEMPORARY TABLE'], on: '*.*' },
      ...['tables', 'columns'].map(system),
    ]);
  });

  it('allow the ingestion service to write results, but to read none', () => {
    expect(grantsOf('ingest')).to.have.deep.members([
      ...results.flatMap((name) => [name, `${name}_shard`]).map((name) => grant('INSERT', name)),
      ...['tables', 'columns'].map(system),
    ]);
  });

  it('allow the migrations to create and read everything in the database', () => {
    const [own, ...others] = grantsOf('migrate');
    expect(own?.on).to.equal('netpanel.*');
    expect(own?.rights).to.include.members(['SELECT', 'INSERT', 'CREATE TABLE', 'dictGet']);
    expect(others).to.have.deep.members([
      { rights: ['SYSTEM RELOAD DICTIONARY'], on: '*.*' },
      { rights: ['CREATE TEMPORARY TABLE'], on: '*.*' },
      ...['tables', 'dictionaries', 'detached_parts'].map(system),
    ]);
  });

  it('grant every table that is not only used by migrations', () => {
    const granted = ['query', 'metadata', 'load'].flatMap(grantsOf).map(({ on }) => on);
    const ungranted = tables.filter((name) => !granted.includes(`netpanel.${name}`));
    expect(ungranted).to.have.members(['timezone_offset_source', 'timezone_offset_version']);
  });

  it('have a comment with the reason for each grant', () => {
    for (const file of readdirSync(join(folder, 'roles'))) {
      const paragraphs = readFileSync(join(folder, 'roles', file), 'utf8').split(/\n\n+/);
      for (const paragraph of paragraphs.filter((text) => text.includes('GRANT '))) {
        expect(paragraph, file).to.match(/^--/);
      }
    }
  });

  it('allow the metadata service to write snapshots and to delete results, but not to read them', () => {
    const grants = grantsOf('metadata');
    const onResults = [...results, ...lastRows].flatMap((name) => [name, `${name}_shard`]);
    const own = grants.filter(({ on }) => on.startsWith('netpanel.'));
    expect(
      own.filter(({ on }) => !/_audit$|\.test_|\.last_rows_/.test(on)).map(({ on }) => on),
    ).to.deep.equal([
      'netpanel.agent_metadata_period',
      'netpanel.agent_metadata_change',
      'netpanel.agent_metadata_publication',
      'netpanel.agent_metadata_change_publication',
      'netpanel.metadata_version_effect',
      'netpanel.agent_metadata_current',
      'netpanel.agent_metadata_base',
      'netpanel.agent_metadata_changed',
      'netpanel.agent_metadata_snapshot',
      'netpanel.agent_metadata_version',
      'netpanel.loaded_blocks',
      'netpanel.data_versions',
      'netpanel.stored_answers',
      'netpanel.agent_metadata',
      'netpanel.agent_metadata_changes',
      'netpanel.custom_value',
      'netpanel.agent_metadata_known_at',
      'netpanel.agent_metadata_known_at',
      'netpanel.agent_set_member',
      'netpanel.agent_set_member',
    ]);
    const erased = /\.test_|\.last_rows_|_known_at$|_set_member$/;
    expect(own.filter(({ on }) => erased.test(on))).to.have.deep.members(
      [...onResults, 'agent_metadata_known_at', 'agent_set_member'].flatMap((name) => [
        { rights: ['SELECT(organisation_id', 'agent_key)'], on: `netpanel.${name}` },
        grant('ALTER DELETE', name),
      ]),
    );
    expect(own.filter(({ on }) => on.endsWith('_audit'))).to.have.deep.members([
      {
        rights: ['SELECT(organisation_id', 'query_id', 'request)'],
        on: 'netpanel.query_audit',
      },
      grant('ALTER UPDATE(request)', 'query_audit'),
      grant('ALTER DELETE', 'query_audit'),
    ]);
    expect(grants.filter(({ on }) => on === '*.*').flatMap(({ rights }) => rights)).to.deep.equal([
      'SYSTEM RELOAD DICTIONARY',
      'CREATE TEMPORARY TABLE',
    ]);
  });

  it('grant the system tables that the code reads', () => {
    const sourcesByRole = {
      query: ['services/query', 'services/shared/clickhouse/clickhouse-dependency.ts'],
      metadata: ['services/metadata'],
      load: ['services/cli/load', 'services/results'],
      ingest: [
        'services/ingest',
        'services/results',
        'services/shared/clickhouse/clickhouse-dependency.ts',
      ],
      migrate: ['services/schema', 'services/cli/doctor'],
    };
    for (const [role, places] of Object.entries(sourcesByRole)) {
      const used = new Set(places.flatMap(systemTablesIn));
      expect(used, role).to.not.be.empty;
      const granted = [...grantsOf(role), ...grantsOf('cluster')].map(({ on }) => on);
      expect(granted, role).to.include.members([...used]);
    }
  });

  it('grant no access to url(), file(), s3() and the like, and remote() not to the query service', () => {
    const roles = ['query', 'metadata', 'ingest', 'load', 'migrate', 'cluster'];
    const allGrants = roles.flatMap(grantsOf);
    const rights = allGrants.flatMap((one) => one.rights);
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
    const remoteGrants = statementsOf('roles/cluster.sql').filter((sql) => sql.includes('REMOTE'));
    expect(remoteGrants.join()).not.to.include('netpanel_query');
  });

  it('limit the cost of a query, with a maximum for each limit and an error on overflow', () => {
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

  it('have a quota per organisation', () => {
    const quota =
      statementsOf('roles/query.sql').find((sql) => sql.startsWith('CREATE QUOTA')) ?? '';
    expect(quota)
      .to.match(/KEYED BY client_key\b/)
      .and.to.match(/TO netpanel_query$/);
  });

  it('create no users and contain no passwords', () => {
    for (const file of readdirSync(join(folder, 'roles'))) {
      for (const sql of statementsOf(join('roles', file))) {
        expect(sql).to.match(
          /^(GRANT|CREATE (ROLE|QUOTA|SETTINGS PROFILE|ROW POLICY) IF NOT EXISTS)\b/,
        );
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

/** The system tables in the SQL of these sources, such as system.parts. */
function systemTablesIn(place: string): string[] {
  const path = join(repositoryRoot, place);
  const files = place.endsWith('.ts')
    ? [path]
    : readdirSync(path, { recursive: true, encoding: 'utf8' }).map((file) => join(path, file));
  return files
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => readFileSync(file, 'utf8').match(/\bsystem\.[a-z]\w+/g) ?? []);
}

function system(table: string): Grant {
  return { rights: ['SELECT'], on: `system.${table}` };
}

function grant(right: string, table: string): Grant {
  return { rights: [right], on: `netpanel.${table}` };
}
