import { expect } from 'chai';
import {
  changeTables,
  snapshotTables,
} from '../../../services/metadata/snapshot/publication-tables.ts';
import type { Snapshots } from '../../../services/metadata/snapshot/start-snapshots.ts';
import { changeMetadata } from '../../support/change-metadata.ts';
import { type IsolatedStores, isolatedStores } from '../../support/isolated-stores.ts';
import { runNetpanel } from '../../support/netpanel.ts';
import { addAgent, addPackages, newTenant, type Tenant } from '../../support/tenant.ts';
import { waitUntil } from '../../support/wait-until.ts';

describe('metadata snapshots', () => {
  let stores: IsolatedStores;
  let tenant: Tenant;
  let publishers: Snapshots[] = [];

  before(async () => {
    stores = await isolatedStores();
    tenant = await newTenant(stores.database);
    await addPackages(stores.database, tenant.organisationId, { 'Döner & Söhne': ['"Fast"\n1'] });
  });
  afterEach(stopPublishers);
  after(() => stores.close());

  it('contain every kind of value unchanged', async () => {
    await addAgent(stores.database, tenant.organisationId, {
      agentId: 'odd',
      unitId: 1,
      macAddress: 'AA:bb',
      kind: 'cpe',
      country: 'DE',
      base: `O'Box\t\\`,
    });
    await change({
      agent: { unit_id: 1 },
      metadata: {
        package: 'Döner & Söhne:"Fast"\n1',
        timezone: 'Europe/Berlin',
        custom: {
          text: `a'b"c\\d\ne`,
          int: 5,
          tiny: 1e-9,
          huge: 2 ** 53 - 1,
          empty: '',
          'k"1': '☃',
        },
      },
    });
    await waitUntilPublished();
    expect(await stores.differences()).to.deep.equal([]);
    expect(await current('kind, base, isp, package, custom, custom_number_keys')).to.deep.equal({
      kind: 'CPE',
      base: `O'Box\t\\`,
      isp: 'Döner & Söhne',
      package: 'Döner & Söhne:"Fast"\n1',
      custom: {
        text: `a'b"c\\d\ne`,
        int: '5',
        tiny: '0.000000001',
        huge: '9007199254740991',
        empty: '',
        'k"1': '☃',
      },
      custom_number_keys: ['huge', 'int', 'tiny'],
    });
  });

  it('include agents without metadata, and follow renamed ISPs', async () => {
    await addAgent(stores.database, tenant.organisationId, { agentId: 'new', country: 'NP' });
    await stores
      .database('isps')
      .where({ organisation_id: tenant.organisationId })
      .update({ name: 'Renamed' });
    await waitUntilPublished();
    expect(await stores.differences()).to.deep.equal([]);
    expect(await current('isp')).to.deep.equal({ isp: 'Renamed' });
  });

  it('are published by one of many replicas at a time', async () => {
    publishers = Array.from({ length: 4 }, () => stores.startPublisher());
    for (let i = 0; i < 10; i++) {
      await change({ agent: { unit_id: 1 }, metadata: { custom: { turn: i } } });
      for (const publisher of publishers) publisher.wake();
    }
    await waitUntilPublished();
    expect(await stores.differences()).to.deep.equal([]);
    for (const { rows, dictionary } of [snapshotTables, changeTables]) {
      // Key 0 says that there are changes.
      expect(await count(rows)).to.equal(
        await count(`dictionary(${dictionary}) WHERE agent_key > 0`),
      );
    }
  });

  it('are published after the dictionary could not be reloaded for a while', async () => {
    const { clickhouse } = stores;
    await clickhouse.command({ query: 'CREATE TABLE trouble (x UInt8) ENGINE = Memory' });
    await clickhouse.command({ query: 'INSERT INTO trouble VALUES (1)' });
    await addDictionaryCondition("throwIf((SELECT count() FROM trouble) > 0, 'trouble') = 0");
    const publisher = stores.startPublisher();
    publishers.push(publisher);
    await change({ agent: { unit_id: 1 }, metadata: { custom: { after: 'trouble' } } });
    await needSnapshot();
    await waitUntil(async () => {
      const { lastError } = await publisher.dependency.check();
      return String(lastError).includes('trouble');
    });
    expect(await stores.database('snapshot_outbox').first('id')).not.to.equal(undefined);

    await clickhouse.command({ query: 'TRUNCATE TABLE trouble' });
    await waitUntilPublished();
    expect(await stores.differences()).to.deep.equal([]);
  });

  it('are compared with Postgres by `netpanel snapshot --verify`, which lists differences', async () => {
    await waitUntilPublished();
    await stopPublishers();
    const verify = () => runNetpanel(stores.env, ['snapshot', '--verify']);
    const same = await verify();
    expect(same.stdout).to.match(
      /^2 agents, \d+ periods, 0 differences, 0 changes not published yet\n$/,
    );
    expect(same.code).to.equal(0);

    await change({ agent: { unit_id: 1 }, metadata: { timezone: 'Asia/Tokyo' } });
    const different = await verify();
    expect(different.stdout).to.match(
      /agent \d+ at \S+: timezone is Europe\/Berlin, not Asia\/Tokyo/,
    );
    expect(different.stdout).to.match(/2 differences, 1 changes not published yet\n$/);
    expect(different.code).to.equal(1);
  });

  async function stopPublishers(): Promise<void> {
    await Promise.all(publishers.map((publisher) => publisher.stop()));
    publishers = [];
  }

  function change(body: object) {
    return changeMetadata(stores.database, tenant, body);
  }

  /** As the publisher of an earlier release requested it: without the agents. */
  async function needSnapshot(): Promise<void> {
    await stores.database('snapshot_outbox').insert({ organisation_id: tenant.organisationId });
  }

  async function waitUntilPublished(): Promise<void> {
    if (publishers.length === 0) publishers.push(stores.startPublisher());
    await waitUntil(
      async () => (await stores.database('snapshot_outbox').first('id')) === undefined,
    );
  }

  async function current(columns: string): Promise<object | undefined> {
    const result = await stores.clickhouse.query({
      query: `SELECT ${columns} FROM agent_metadata_current
              WHERE unit_id = 1 AND now('UTC') BETWEEN valid_from AND valid_to`,
      format: 'JSONEachRow',
    });
    return (await result.json<object>())[0];
  }

  async function count(source: string): Promise<number> {
    const result = await stores.clickhouse.query({
      query: `SELECT toString(count()) AS found FROM ${source}`,
      format: 'JSONEachRow',
    });
    return Number((await result.json<{ found: string }>())[0]!.found);
  }

  /** Adds a condition to the query of the dictionary. */
  async function addDictionaryCondition(condition: string): Promise<void> {
    const { clickhouse } = stores;
    const result = await clickhouse.query({
      query:
        "SELECT create_table_query AS sql FROM system.tables WHERE database = currentDatabase() AND name = 'agent_metadata'",
      format: 'JSONEachRow',
    });
    const [{ sql }] = (await result.json<{ sql: string }>()) as [{ sql: string }];
    const escaped = condition
      .replace('FROM trouble', `FROM ${stores.env.CLICKHOUSE_DATABASE}.trouble`)
      .replaceAll("'", "\\'");
    const changed = sql
      .replace('[HIDDEN]', stores.env.CLICKHOUSE_PASSWORD ?? '')
      .replace('custom_hash_key_in_use', `custom_hash_key_in_use WHERE ${escaped}`);
    await clickhouse.command({ query: 'DROP DICTIONARY agent_metadata' });
    await clickhouse.command({ query: changed });
  }
});
