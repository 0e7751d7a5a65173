import { expect } from 'chai';
import {
  connectPostgres,
  type Database,
} from '../../../services/shared/postgres/connect-postgres.ts';
import { runNetpanel } from '../../support/netpanel.ts';
import { emptyIsolatedStores, type IsolatedStores } from '../../support/isolated-stores.ts';
import { runbookStatements } from './runbook-blocks.ts';

const suffix = `_${process.pid}`;

describe('rotating the users of Postgres', () => {
  let stores: IsolatedStores;

  before(async () => {
    stores = await emptyIsolatedStores();
    await stores.database.raw(`create user netpanel${suffix} password 'first'`);
    const name = new URL(stores.env.DATABASE_URL!).pathname.slice(1);
    await stores.database.raw('alter database ?? owner to ??', [name, `netpanel${suffix}`]);
    await migrateAs(`netpanel${suffix}`, 'first');
  });
  after(() => stores.close());

  it('hands the tables over to a new owner, who migrates and adds organisations', async () => {
    const statements = runbookStatements('Rotating secrets', 'postgres').filter(
      (sql) => /netpanel(_b)?\b(?!_)/.test(sql) && !/netpanel_(query|metadata|ingest)/.test(sql),
    );
    expect(statements).to.have.length(4);
    // The reason for the statements in between.
    const refused = await stores.database.raw(own('drop user netpanel')).then(() => '', String);
    expect(refused).to.include('some objects depend on it');
    for (const sql of statements) await stores.database.raw(own(sql));
    await migrateAs(`netpanel_b${suffix}`, '<password>');
    const added = await runNetpanel(
      { ...stores.env, DATABASE_URL: urlOf(`netpanel_b${suffix}`, '<password>') },
      ['org', 'add', 'demo'],
    );
    expect(added.code, added.stderr).to.equal(0);
  });

  it('replaces the users of the services, and drops the first ones', async () => {
    const statements = runbookStatements('Rotating secrets', 'postgres').filter((sql) =>
      /netpanel_(query|metadata|ingest)_/.test(sql),
    );
    expect(statements).to.have.length(4);
    const drop = statements.pop()!;
    for (const sql of statements) {
      await stores.database.raw(own(sql).replace('_b_', '_a_'));
      await stores.database.raw(own(sql));
    }
    for (const user of ['netpanel_query_a', 'netpanel_query_b']) {
      await withUser(`${user}${suffix}`, async (database) => {
        await database.raw("set netpanel.organisation = 'all'");
        await database('organisations').count();
      });
    }
    await stores.database.raw(own(drop));
    const { rows } = await stores.database.raw<{ rows: { rolname: string }[] }>(
      `select rolname from pg_roles where rolname like 'netpanel\\_%\\_%${suffix}' order by 1`,
    );
    expect(rows.map(({ rolname }) => rolname)).to.deep.equal([
      `netpanel_ingest_b${suffix}`,
      `netpanel_metadata_b${suffix}`,
      `netpanel_query_b${suffix}`,
    ]);
  });

  /** Roles belong to the server: names of this process. */
  function own(sql: string): string {
    return sql.replace(
      /\bnetpanel((?:_query|_metadata|_ingest)?_[ab])?\b(?!_)/g,
      `netpanel$1${suffix}`,
    );
  }

  async function migrateAs(user: string, password: string): Promise<void> {
    const env = { ...stores.env, DATABASE_URL: urlOf(user, password) };
    const { code, stderr } = await runNetpanel(env, ['migrate']);
    expect(code, stderr).to.equal(0);
  }

  async function withUser(user: string, use: (database: Database) => Promise<void>): Promise<void> {
    const database = connectPostgres(urlOf(user, '<password>'), 1, user);
    try {
      await use(database);
    } finally {
      await database.destroy();
    }
  }

  function urlOf(user: string, password: string): string {
    const url = new URL(stores.env.DATABASE_URL!);
    url.username = user;
    url.password = encodeURIComponent(password);
    return url.href;
  }
});
