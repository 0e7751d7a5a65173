import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { resultTables } from '../../../services/schema/clickhouse/generated/result-tables.ts';
import {
  readMigrations,
  splitSqlStatements,
} from '../../../services/schema/clickhouse/read-migrations.ts';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';

const folder = join(repositoryRoot, 'deploy/clickhouse');
const statementsOf = (path: string) =>
  splitSqlStatements(readFileSync(join(folder, path), 'utf8')).map((sql) =>
    sql.replace(/^\s*--.*\n/gm, '').trim(),
  );
const tables = [
  ...readMigrations()
    .flatMap(({ statements }) => statements)
    .filter(({ kind, object }) => kind === 'create' && object === 'TABLE')
    .map(({ name }) => name),
  ...resultTables().map(({ name }) => name),
];
const results = tables.filter((name) => name.startsWith('test_'));
const resultsViews = results.map((name) => name.replace('test_', 'results_'));
const lastRows = tables.filter((name) => name.startsWith('last_rows_'));

interface Grant {
  readonly rights: readonly string[];
  readonly on: string;
}

// What each role can do and cannot do is tested on a real engine: integration/schema/roles and role-limits. These are
// rules about the files, which also apply to a table that is added later.
describe('the ClickHouse roles', () => {
  for (const role of ['query', 'metadata', 'ingest', 'load', 'migrate']) {
    it(`give ${role} the same rights to every table of results and its shards`, () => {
      for (const kind of [results, lastRows, resultsViews]) {
        const ofEach = kind
          .flatMap((name) => [name, `${name}_shard`])
          .map((name) => rightsOn(role, `netpanel.${name}`).join());
        expect(new Set(ofEach), kind[0]).to.have.property('size', 1);
      }
    });
  }

  it('let nobody but the migrations change a table, and nobody change a result', () => {
    const rights = (role: string) =>
      grantsOf(role)
        .filter(({ on }) => on.startsWith('netpanel.'))
        .flatMap((one) => one.rights);
    expect(['SELECT', 'INSERT', 'dictGet']).to.include.members(rights('query'));
    expect(['INSERT']).to.include.members(rights('ingest'));
    expect(['SELECT', 'INSERT']).to.include.members(rights('load'));
    const changes = rights('metadata').filter((right) =>
      /^(CREATE|DROP|TRUNCATE|ALTER)/.test(right),
    );
    expect(['ALTER DELETE', 'ALTER UPDATE(request)']).to.include.members(changes);
    for (const table of results) {
      expect(rightsOn('query', `netpanel.${table}`)).to.deep.equal(['SELECT']);
      expect(rightsOn('ingest', `netpanel.${table}`)).to.deep.equal(['INSERT']);
      // Erasure finds the results of an agent, and deletes them.
      expect(rightsOn('metadata', `netpanel.${table}`)).to.deep.equal([
        'SELECT(organisation_id',
        'agent_key)',
        'ALTER DELETE',
      ]);
    }
  });

  it('let the query service write only its audit, copies of metadata and answers', () => {
    const written = grantsOf('query').filter(({ rights }) => rights.includes('INSERT'));
    for (const { on } of written) {
      expect(on).to.match(/^netpanel\.(query_audit|stored_answers|\w+_known_at(_fill)?)$/);
    }
  });

  it('give a right outside of the database only for system tables, temporary tables and reloading dictionaries', () => {
    for (const role of ['query', 'metadata', 'ingest', 'load', 'migrate']) {
      for (const { rights, on } of grantsOf(role)) {
        if (on.startsWith('netpanel.')) continue;
        const isSystem = on.startsWith('system.');
        const allowed = isSystem
          ? ['SELECT']
          : ['CREATE TEMPORARY TABLE', 'SYSTEM RELOAD DICTIONARY'];
        expect(allowed, `${role}: ${on}`).to.include.members([...rights]);
      }
    }
  });

  it('grant every table that is not only used by migrations', () => {
    const granted = ['query', 'metadata', 'load'].flatMap(grantsOf).map(({ on }) => on);
    const ungranted = tables.filter((name) => !granted.includes(`netpanel.${name}`));
    expect(ungranted).to.have.members([
      'custom_hash_key',
      'timezone_offset_source',
      'timezone_offset_version',
    ]);
  });

  it('have a comment with the reason for each grant', () => {
    for (const file of readdirSync(join(folder, 'roles'))) {
      const paragraphs = readFileSync(join(folder, 'roles', file), 'utf8').split(/\n\n+/);
      for (const paragraph of paragraphs.filter((text) => text.includes('GRANT '))) {
        expect(paragraph, file).to.match(/^--/);
      }
    }
  });

  it('grant the system tables that the code reads', () => {
    const sourcesByRole = {
      query: ['services/query', 'services/shared/clickhouse/clickhouse-dependency.ts'],
      metadata: ['services/metadata'],
      ingest: [
        'services/ingest',
        'services/results',
        'services/shared/clickhouse/clickhouse-dependency.ts',
      ],
      migrate: ['services/schema'],
    };
    for (const [role, places] of Object.entries(sourcesByRole)) {
      const used = new Set(places.flatMap(systemTablesIn));
      expect(used, role).to.not.be.empty;
      const granted = [...grantsOf(role), ...grantsOf('cluster')].map(({ on }) => on);
      expect(granted, role).to.include.members([...used]);
    }
  });

  it('let the loader do without system tables, which it does not read', () => {
    expect(['services/load', 'services/results'].flatMap(systemTablesIn)).to.deep.equal([]);
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

function rightsOn(role: string, table: string): readonly string[] {
  return grantsOf(role)
    .filter(({ on }) => on === table)
    .flatMap(({ rights }) => rights);
}
