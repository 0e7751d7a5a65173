import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { connectPostgres } from '../../../services/shared/postgres/connect-postgres.ts';
import {
  migratePostgres,
  pendingPostgresMigrations,
} from '../../../services/schema/postgres/migrate-postgres.ts';
import * as explicitGrants from '../../../services/schema/postgres/migrations/009-explicit-grants.ts';
import * as tokenScopes from '../../../services/schema/postgres/migrations/010-token-scopes.ts';
import * as savedViews from '../../../services/schema/postgres/migrations/024-saved-views.ts';
import * as metadataVersions from '../../../services/schema/postgres/migrations/017-metadata-versions.ts';
import { grantsOf } from '../../../services/registry/grants.ts';
import { readMetadataVersions } from '../../../services/registry/metadata-versions.ts';
import { localStack } from '../../support/local-stack.ts';
import { emptyIsolatedStores, isolatedStores } from '../../support/isolated-stores.ts';
import { runNetpanel } from '../../support/netpanel.ts';
import { addAgent, newTenant, type Tenant } from '../../support/tenant.ts';

describe('Postgres migrations', () => {
  it('can be started eight times at once on an empty database', async () => {
    const { database, databaseUrl } = await localStack();
    await database.raw('create database concurrent_migrations');
    const url = databaseUrl.replace(/[^/]+$/, 'concurrent_migrations');
    const connections = Array.from({ length: 8 }, () => connectPostgres(url, 2, 'migration-test'));
    try {
      const applied = await Promise.all(connections.map(migratePostgres));
      const workers = applied.filter((names) => names.length > 0);
      expect(workers).to.have.length(1);
      expect(await pendingPostgresMigrations(connections[0]!)).to.deep.equal([]);
      expect(await migratePostgres(connections[0]!)).to.deep.equal([]);
    } finally {
      await Promise.all(connections.map((connection) => connection.destroy()));
      await database.raw('drop database concurrent_migrations');
    }
  });

  it('continue after a kill that left the lock of knex behind', async () => {
    const { database, clickhouse } = await emptyIsolatedStores();
    try {
      await migratePostgres(database);
      await database('knex_migrations_lock').update({ is_locked: 1 });
      await database('knex_migrations').where({ name: '005-snapshot-due' }).del();
      expect(await pendingPostgresMigrations(database)).to.deep.equal(['005-snapshot-due']);
      await database('knex_migrations').insert({
        name: '005-snapshot-due',
        batch: 1,
        migration_time: new Date(),
      });
      expect(await migratePostgres(database)).to.deep.equal([]);
      expect(await database('knex_migrations_lock').pluck('is_locked')).to.deep.equal([0]);
    } finally {
      await clickhouse.close();
      await database.destroy();
    }
  });

  it('keep the access of an organisation without grants, and close what was never granted', async () => {
    const stores = await isolatedStores();
    const { database } = stores;
    try {
      await explicitGrants.down(database);
      await database('knex_migrations').where({ name: '009-explicit-grants' }).del();
      const ids = await database('organisations')
        .insert([{ name: 'open' }, { name: 'metrics-only' }, { name: 'both' }])
        .returning<{ id: number }[]>('id');
      const [open, metricsOnly, both] = ids.map(({ id }) => id) as [number, number, number];
      await database('grants').insert([
        { organisation_id: metricsOnly, kind: 'metric', key: 'httpget' },
        { organisation_id: both, kind: 'metric', key: 'dnsFail' },
        { organisation_id: both, kind: 'test', key: 'dns' },
      ]);
      const { stdout } = await runNetpanel(stores.env, ['migrate']);
      expect(stdout).to.include('metrics-only sees no test any more');
      expect(stdout.match(/any more/g)).to.have.length(1);
      expect(await grantsOf(database, open)).to.deep.equal({ metric: 'all', test: 'all' });
      expect(await grantsOf(database, metricsOnly)).to.deep.equal({
        metric: ['httpget'],
        test: [],
      });
      expect(await grantsOf(database, both)).to.deep.equal({ metric: ['dnsFail'], test: ['dns'] });
    } finally {
      await stores.close();
    }
  }).timeout(120_000);

  it('keep what existing tokens may do, without erasing and loading', async () => {
    const { database, clickhouse } = await emptyIsolatedStores();
    try {
      await migratePostgres(database);
      await tokenScopes.down(database);
      const [organisation] = await database('organisations')
        .insert({ name: 'existing' })
        .returning<{ id: number }[]>('id');
      for (const forInterface of ['data', 'metadata']) {
        await database('api_tokens').insert({
          organisation_id: organisation!.id,
          interface: forInterface,
          token_sha256: randomBytes(32),
          label: 'existing',
        });
      }
      await tokenScopes.up(database);
      expect(await database('api_tokens').orderBy('id').pluck('scopes')).to.deep.equal([
        ['data:read', 'data:export'],
        ['metadata:read', 'metadata:write'],
      ]);
    } finally {
      await clickhouse.close();
      await database.destroy();
    }
  });

  it('give versions to changes that wait for their publication', async () => {
    const { database, clickhouse } = await emptyIsolatedStores();
    try {
      await migratePostgres(database);
      const [waiting, published] = [await newTenant(database), await newTenant(database)];
      await metadataVersions.down(database);
      for (const agentId of ['a', 'b']) {
        await addAgent(database, waiting.organisationId, { agentId });
      }
      await metadataVersions.up(database);
      const versionsOf = ({ organisationId }: Tenant) =>
        readMetadataVersions(database, organisationId);
      expect(await versionsOf(waiting)).to.deep.equal({ current: 2, published: 0 });
      expect(await versionsOf(published)).to.deep.equal({ current: 0, published: 0 });
      await addAgent(database, waiting.organisationId, { agentId: 'c' });
      expect(await versionsOf(waiting)).to.deep.equal({ current: 3, published: 0 });
      // A publisher of an earlier release deletes what it has published, and records no version.
      await database('snapshot_outbox').where('version', '<=', 2).del();
      expect(await versionsOf(waiting)).to.deep.equal({ current: 3, published: 2 });
    } finally {
      await clickhouse.close();
      await database.destroy();
    }
  });

  it('find out who recorded the values of periods that later changes shortened', async () => {
    const { database, clickhouse } = await emptyIsolatedStores();
    try {
      await migratePostgres(database);
      const { organisationId: organisation_id } = await newTenant(database);
      const agent_key = await addAgent(database, organisation_id, { agentId: 'a' });
      await savedViews.down(database);
      const times = [1, 2, 3].map((day) => new Date(Date.UTC(2026, 0, day)));
      const changes = await database('metadata_changes')
        .insert(
          times.map((recorded_at) => ({
            organisation_id,
            recorded_at,
            request: {},
            agent_count: 1,
          })),
        )
        .returning<{ id: number }[]>('id');
      const period = (valid: string, timezone: string, by: number, endedBy?: number) => ({
        agent_key,
        organisation_id,
        valid,
        timezone,
        recorded_at: times[by],
        recorded_by: changes[by]!.id,
        ...(endedBy === undefined
          ? {}
          : { superseded_at: times[endedBy], superseded_by: changes[endedBy]!.id }),
      });
      await database('agent_metadata').insert([
        period('(,)', 'Europe/London', 0, 1),
        // The second change shortened the period of the first, and the third did it again.
        period('(,2026-02-01)', 'Europe/London', 1, 2),
        period('[2026-02-01,)', 'Europe/Paris', 1),
        period('(,2026-01-15)', 'Europe/London', 2),
        period('[2026-01-15,2026-02-01)', 'Europe/Rome', 2),
      ]);
      await savedViews.up(database);
      const first = await database('agent_metadata').orderBy('id').pluck('first_recorded_by');
      expect(first).to.deep.equal([null, changes[0]!.id, null, changes[0]!.id, null]);
      const rewritten = await database('agent_metadata')
        .update({ first_recorded_at: null, first_recorded_by: null })
        .catch(String);
      expect(rewritten).to.include('metadata history cannot be rewritten');
    } finally {
      await clickhouse.close();
      await database.destroy();
    }
  });

  it('are listed without creating a table', async () => {
    const { database, clickhouse } = await emptyIsolatedStores();
    try {
      expect(await pendingPostgresMigrations(database)).to.include('001-tenants');
      const tables = database('information_schema.tables').where({ table_schema: 'public' });
      expect(await tables).to.deep.equal([]);
    } finally {
      await clickhouse.close();
      await database.destroy();
    }
  });
});
