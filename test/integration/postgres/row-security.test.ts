import { expect } from 'chai';
import type { Knex } from 'knex';
import { randomBytes } from 'node:crypto';
import { isolatedStores, type IsolatedStores } from '../../support/isolated-stores.ts';
import type { Tenant } from '../../support/tenant.ts';
import { tenantWithRows } from './rows-of-tenant.ts';

/** Tables without rows of an organisation. Every other table must have a policy. */
const sharedTables = [
  'erasure_secret',
  'knex_migrations',
  'knex_migrations_lock',
  'metadata_history_start',
  'retention_state',
];

/** The organisation of a row, for tables without the column organisation_id. */
const organisationOfRow: Readonly<Record<string, string>> = {
  organisations: 'id',
  packages: '(select i.organisation_id from isps i where i.id = isp_id)',
};

interface TenantTable {
  readonly name: string;
  readonly organisation: string;
  /** A column that can be set to its own value. */
  readonly column: string;
}

describe('row-level security in Postgres', () => {
  // A role that may do everything with every table, but owns none.
  const role = `row_security_${randomBytes(4).toString('hex')}`;
  let stores: IsolatedStores;
  let own: Tenant;
  let other: Tenant;
  let tables: readonly TenantTable[];

  before(async () => {
    stores = await isolatedStores();
    const { database } = stores;
    own = await tenantWithRows(database);
    other = await tenantWithRows(database);
    await database.raw(`create role ${role}; grant all on all tables in schema public to ${role}`);
    tables = await tenantTables();
  });

  after(async () => {
    await stores.database.raw(`drop owned by ${role}; drop role ${role}`);
    await stores.close();
  });

  it('applies to every table with rows of organisations', async () => {
    const { rows } = await stores.database.raw<{ rows: { name: string; isOn: boolean }[] }>(
      `select relname as name, relrowsecurity and exists (
         select from pg_policy where polrelid = c.oid) as "isOn"
       from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
    );
    const open = rows.filter(({ isOn }) => !isOn).map(({ name }) => name);
    expect(open).to.have.members(sharedTables);
  });

  it('shows a statement without a condition only the rows of the organisation', async () => {
    for (const { name, organisation } of tables) {
      const all = await asOwner((transaction) => rowsOf(transaction, name, organisation));
      const mine = all.filter((id) => id === own.organisationId);
      // Without rows of both, the comparison would prove nothing.
      expect(all, name).to.include.members([own.organisationId, other.organisationId]);
      const seen = await asRole(String(own.organisationId), (transaction) =>
        rowsOf(transaction, name, organisation),
      );
      expect(seen, name).to.deep.equal(mine);
    }
  });

  it('shows no row without an organisation', async () => {
    for (const setting of [undefined, '']) {
      for (const { name, organisation } of tables) {
        const seen = await asRole(setting, (transaction) =>
          rowsOf(transaction, name, organisation),
        );
        expect(seen, name).to.deep.equal([]);
      }
    }
  });

  it('shows background work the rows of all organisations', async () => {
    for (const { name, organisation } of tables) {
      const seen = await asRole('all', (transaction) => rowsOf(transaction, name, organisation));
      expect(seen, name).to.include.members([own.organisationId, other.organisationId]);
    }
  });

  it('keeps the rows of others in an update or delete without a condition', async () => {
    for (const { name, organisation, column } of tables) {
      const all = await asOwner((transaction) => rowsOf(transaction, name, organisation));
      const mine = all.filter((id) => id === own.organisationId).length;
      const changed = await asRole(String(own.organisationId), async (transaction) => {
        const updated = await transaction.raw<{ rowCount: number }>(
          `update ${name} set ${column} = ${column}`,
        );
        const deleted = await transaction.raw<{ rowCount: number }>(`delete from ${name}`);
        return { updated: updated.rowCount, deleted: deleted.rowCount };
      });
      expect(changed, name).to.deep.equal({ updated: mine, deleted: mine });
    }
  });

  it('refuses to move a row to another organisation', async () => {
    for (const { name, organisation } of tables) {
      if (organisation !== 'organisation_id') continue;
      const message = await asRole(String(own.organisationId), (transaction) =>
        transaction
          .raw(`update ${name} set organisation_id = ?`, [other.organisationId])
          .then(() => 'moved', String),
      );
      expect(message, name).to.contain(`violates row-level security policy for table "${name}"`);
    }
  });

  it('refuses a package of another organisation', async () => {
    const isp = await stores
      .database('isps')
      .where({ organisation_id: other.organisationId })
      .first<{ id: number }>('id');
    const message = await asRole(String(own.organisationId), (transaction) =>
      transaction('packages')
        .insert({ isp_id: isp.id, name: 'Foreign' })
        .then(() => 'added', String),
    );
    expect(message).to.contain('violates row-level security policy for table "packages"');
  });

  async function tenantTables(): Promise<readonly TenantTable[]> {
    const { rows } = await stores.database.raw<{ rows: { name: string; columns: string[] }[] }>(
      `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
       from pg_class c join pg_attribute a on a.attrelid = c.oid
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
         and a.attnum > 0 and not a.attisdropped and a.attidentity = '' and a.attgenerated = ''
       group by c.relname order by 1`,
    );
    return rows
      .filter(({ name }) => !sharedTables.includes(name))
      .map(({ name, columns }) => ({
        name,
        organisation: organisationOfRow[name] ?? 'organisation_id',
        column: columns[0]!,
      }));
  }

  function rowsOf(
    transaction: Knex.Transaction,
    table: string,
    organisation: string,
  ): Promise<readonly number[]> {
    return transaction(table)
      .select<{ id: number }[]>(transaction.raw(`${organisation} as id`))
      .orderBy('id')
      .then((rows) => rows.map(({ id }) => id));
  }

  function asOwner<T>(work: (transaction: Knex.Transaction) => Promise<T>): Promise<T> {
    return inRolledBackTransaction(work);
  }

  /** Without triggers and foreign keys, which would refuse some of the statements for other reasons. */
  function asRole<T>(
    organisation: string | undefined,
    work: (transaction: Knex.Transaction) => Promise<T>,
  ): Promise<T> {
    return inRolledBackTransaction(async (transaction) => {
      await transaction.raw('set local session_replication_role = replica');
      await transaction.raw(`set local role ${role}`);
      if (organisation !== undefined) {
        await transaction.raw("select set_config('netpanel.organisation', ?, true)", [
          organisation,
        ]);
      }
      return work(transaction);
    });
  }

  async function inRolledBackTransaction<T>(
    work: (transaction: Knex.Transaction) => Promise<T>,
  ): Promise<T> {
    const transaction = await stores.database.transaction();
    try {
      return await work(transaction);
    } finally {
      await transaction.rollback();
    }
  }
});
