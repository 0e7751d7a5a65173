import { expect } from 'chai';
import { readMetadataVersions } from '../../services/registry/versions/metadata-versions.ts';
import { changeMetadata } from '../support/change-metadata.ts';
import { type IsolatedStores, isolatedStores } from '../support/isolated-stores.ts';
import { localStack } from '../support/local-stack.ts';
import { type QueryService, startQueryService } from '../support/query-service.ts';
import { runBuilt } from '../support/run-built.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type FaultPanel, faultPanel } from './fault-panel.ts';
import { PanelClient } from './panel-client.ts';

describe('a store that was restored from an older backup than the other', () => {
  let stores: IsolatedStores;
  let panel: FaultPanel;
  let service: QueryService | undefined;

  before(async () => {
    stores = await isolatedStores();
    panel = await faultPanel(stores.database, stores.clickhouse, 1_000);
    await publish();
    await setRound(1);
  });
  after(() => stores.close());
  afterEach(async () => {
    await service?.stop();
    service = undefined;
  });

  it('Postgres: queries follow it, also with versions that stored answers of before have', async () => {
    await backUpPostgres();
    await setRound(2);
    expect(await answers()).to.deep.equal([2, 2]);
    const later = await version();
    await restorePostgres();
    await publish();
    expect(await answers()).to.deep.equal([1, 1]);
    await setRound(3);
    // The number of a version whose answers are stored.
    expect(await version()).to.equal(later);
    expect(await answers()).to.deep.equal([3, 3]);
  });

  it('Postgres: a publisher that was killed at any step does not hide the difference', async () => {
    for (const step of ['fold record', 'snapshot version', 'snapshot record'] as const) {
      await backUpPostgres();
      const before = (await answers())[0]!;
      await setRound(before + 1);
      await restorePostgres();
      const killed = await runBuilt('test/faults/publish-until-killed.js', stores.env, [step]);
      expect(killed.code, killed.stderr).to.equal(null);
      await publish();
      expect(await answers(), step).to.deep.equal([before, before]);
      // The next step of the same test begins with changes that are not part of the snapshot.
      await setRound(before + 1);
    }
  });

  it('ClickHouse: the publisher brings it up to date', async () => {
    const { clickhouse } = await localStack();
    const database = stores.env.CLICKHOUSE_DATABASE!;
    const before = (await answers())[0]!;
    const backup = `File('restored-${process.pid}')`;
    await clickhouse.command({ query: `BACKUP DATABASE ${database} TO ${backup}` });
    await setRound(before + 1);
    expect(await answers()).to.deep.equal([before + 1, before + 1]);
    await clickhouse.command({ query: `DROP DATABASE ${database} SYNC` });
    // The running service may write to its audit log as soon as the table is back.
    const restore = `RESTORE DATABASE ${database} FROM ${backup} SETTINGS allow_non_empty_tables = true`;
    await clickhouse.command({ query: restore });
    await publish();
    expect(await answers()).to.deep.equal([before + 1, before + 1]);
  });

  /** The rounds of two responses, of which the second may be a stored one. */
  async function answers(): Promise<readonly (number | undefined)[]> {
    service ??= await startQueryService({ ...stores.env, STORED_ANSWERS_MIN_MS: '0' });
    const client = new PanelClient(panel, { queryUrl: service.url, metadataUrl: '' });
    client.sent = 1_000;
    return [await client.queryByRound(), await client.queryByRound()];
  }

  async function setRound(round: number): Promise<void> {
    await changeMetadata(stores.database, panel.tenant, panel.change(round));
    // The changes of more than a minute ago would be folded into the snapshot now, not by the publisher that is killed.
    await stores
      .database('snapshot_organisations')
      .whereNotNull('changed_since')
      .update({ changed_since: stores.database.fn.now() });
    await publish();
  }

  /** Publishes until queries see what Postgres has. */
  async function publish(): Promise<void> {
    const publisher = stores.startPublisher();
    try {
      await waitUntil(async () => {
        const { current, published } = await readMetadataVersions(
          stores.database,
          organisationId(),
        );
        return current === published && (await stores.differences()).length === 0;
      });
    } finally {
      await publisher.stop();
    }
  }

  async function version(): Promise<number> {
    return (await readMetadataVersions(stores.database, organisationId())).current;
  }

  function organisationId(): number {
    return panel.tenant.organisationId;
  }

  async function backUpPostgres(): Promise<void> {
    await withoutConnections(async (database, name) => {
      await database.raw('drop database if exists ??', [`${name}_backup`]);
      await database.raw('create database ?? template ??', [`${name}_backup`, name]);
    });
  }

  async function restorePostgres(): Promise<void> {
    await withoutConnections(async (database, name) => {
      await database.raw('drop database ??', [name]);
      await database.raw('alter database ?? rename to ??', [`${name}_backup`, name]);
    });
  }

  /** Copying and renaming a database need it without connections. */
  async function withoutConnections(
    work: (database: IsolatedStores['database'], name: string) => Promise<void>,
  ): Promise<void> {
    await service?.stop();
    service = undefined;
    const { database } = await localStack();
    const name = new URL(stores.env.DATABASE_URL!).pathname.slice(1);
    await waitUntil(async () => {
      await database.raw(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = ?',
        [name],
      );
      const { rows } = await database.raw<{ rows: unknown[] }>(
        'select from pg_stat_activity where datname = ?',
        [name],
      );
      return rows.length === 0;
    });
    await work(database, name);
  }
});
