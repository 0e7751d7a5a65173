import { expect } from 'chai';
import type { Snapshots } from '../../../services/metadata/snapshot/start-snapshots.ts';
import { metadataAsOfResult } from '../../../services/catalog/result.ts';
import { customValueOf } from '../../../services/query/compiler/field-value.ts';
import { changeMetadata } from '../../support/change-metadata.ts';
import { DataApi } from '../../support/data-api.ts';
import { addResults } from '../../support/household.ts';
import { type IsolatedStores, isolatedStores } from '../../support/isolated-stores.ts';
import { plainRequest } from '../../support/plain-request.ts';
import { type QueryService, startQueryService } from '../../support/query-service.ts';
import { addAgent, newTenant, type Tenant } from '../../support/tenant.ts';
import { waitUntil } from '../../support/wait-until.ts';

const household = { agentId: 'box-1', unitId: 1, macAddress: '02:00:00:00:00:01' };

/**
 * cityHash64 is the same for {"tier":"gold"} and for the JSON of these, which are found in a second: it must not
 * identify what organisations choose.
 */
const sameCityHashAsGold = ['50-_OsSXsf$n*KH0inoII', 'jkVjx2d:9q}Tiz 3W6SsN'];

const request = {
  ...plainRequest,
  aggregation: 'total',
  filters: [],
  time: { from: '2026-01-01 00:00:00', to: '2026-01-31 23:59:59' },
};

describe('custom values in ClickHouse', () => {
  let stores: IsolatedStores;
  let publisher: Snapshots;
  let service: QueryService;
  let tenant: Tenant;
  let api: DataApi;
  /** Has the same household. */
  let other: Tenant;
  let otherApi: DataApi;
  let changes = 0;

  before(async () => {
    stores = await isolatedStores();
    tenant = await newTenant(stores.database);
    const agentKey = await addAgent(stores.database, tenant.organisationId, household);
    await addResults(stores.clickhouse, tenant, household, agentKey);
    await changeTier('gold');
    other = await newTenant(stores.database);
    const otherKey = await addAgent(stores.database, other.organisationId, household);
    await addResults(stores.clickhouse, other, household, otherKey);
    await changeTier('gold', other);
    publisher = stores.startPublisher();
    await published();
    service = await startQueryService({ ...stores.env, STORED_ANSWERS_BYTES: '0' });
    api = new DataApi(service.url, tenant.dataToken);
    otherApi = new DataApi(service.url, other.dataToken);
  });
  after(async () => {
    await service.stop(10_000);
    await publisher.stop();
    await stores.close();
  });

  it('are loaded before metadata that has them is used', async () => {
    expect(await tiers()).to.deep.equal(['gold']);
    await changeTier(7);
    await published();
    expect(await tiers()).to.deep.equal([7]);
  });

  it('cannot be replaced by another organisation with values of the same hash', async () => {
    const attacker = await newTenant(stores.database);
    await addAgent(stores.database, attacker.organisationId, household);
    for (const tier of sameCityHashAsGold) {
      await changeTier(tier, attacker);
      await changeTier('gold');
      await published();
      expect(await tiers()).to.deep.equal(['gold']);
    }
  });

  it('of two organisations have different hashes, and no hash can be computed from a guessed value', async () => {
    const [own, others] = [await hashesOf(tenant), await hashesOf(other)];
    expect(own.customHash).not.to.equal(others.customHash);
    expect(own.valueId).not.to.equal(others.valueId);
    expect(await hasValue(others.valueId)).to.equal(1);
    const organisation = `toUInt32(${other.organisationId})`;
    const json = `'{"tier":"gold"}', emptyArrayString()`;
    for (const guess of [
      "sipHash64(0::UInt8, 'gold')",
      `sipHash64(${organisation}, 0::UInt8, 'gold')`,
      `sipHash64Keyed((0::UInt64, 0::UInt64), ${organisation}, 0::UInt8, 'gold')`,
      `sipHash64(sipHash64(${json}), 'tier')`,
      `sipHash64(sipHash64(${organisation}, ${json}), 'tier')`,
      `sipHash64(sipHash64Keyed((0::UInt64, 0::UInt64), ${organisation}, ${json}), 'tier')`,
    ]) {
      expect(await hasValue(guess), guess).to.equal(0);
    }
  });

  it('of two organisations are split and filtered, now and as known earlier, with expected agents', async () => {
    const filters = [{ id: 'tier', filterType: 'include', filterValues: ['gold'] }];
    for (const client of [api, otherApi]) {
      for (const fields of [
        { filters },
        { filters, knownAt: new Date().toISOString() },
        { filters, coverage: true },
      ]) {
        const [point, ...more] = await pointsOf(client, fields);
        expect(more).to.deep.equal([]);
        expect(point).to.include({ tier: 'gold', sampleCount: 1 });
        if (fields.coverage) expect(point).to.have.nested.property('coverage.agents', 1);
      }
      const excluded = [{ ...filters[0], filterType: 'exclude' }];
      expect(await pointsOf(client, { filters: excluded })).to.deep.equal([]);
    }
  });

  it('have a secret key that is in no SQL and no plan', async () => {
    const [key] = await rowsOf<{ k0: string; k1: string }>(
      'SELECT toString(k0) AS k0, toString(k1) AS k1 FROM custom_hash_key',
    );
    const explained = await api.post('/metric_data/explain', { ...request, splits: ['tier'] });
    const plan = await rowsOf('EXPLAIN PLAN actions = 1 SELECT * FROM agent_metadata_ids');
    const texts = await rowsOf('SELECT create_table_query FROM system.tables');
    for (const text of [explained.body, plan, texts].map((shown) => JSON.stringify(shown))) {
      expect(text).not.to.include(key!.k0).and.not.to.include(key!.k1);
    }
  });

  it('that are not loaded fail a request that needs them: no value would be a wrong answer', async () => {
    await publisher.stop();
    await command(`INSERT INTO agent_metadata_change
      SELECT * REPLACE (publication + 1 AS publication, map('tier', 'platinum') AS custom,
        emptyArrayString() AS custom_number_keys)
      FROM agent_metadata_change WHERE organisation_id = ${tenant.organisationId}`);
    await command(`INSERT INTO agent_metadata_change_publication
      SELECT * REPLACE (publication + 1 AS publication)
      FROM agent_metadata_change_publication WHERE organisation_id = ${tenant.organisationId}`);
    await command('SYSTEM RELOAD DICTIONARY agent_metadata_changes');

    const { status, headers, body } = await split('tier');
    expect(status, JSON.stringify(body)).to.equal(503);
    expect(body.code).to.equal('SERVICE_UNAVAILABLE');
    expect(headers.get('retry-after')).to.equal('5');
    expect((await split('isp')).status).to.equal(200);

    await command('SYSTEM RELOAD DICTIONARY custom_value');
    expect(await tiers()).to.deep.equal(['platinum']);
  });

  it('that were removed while a request runs fail it, unlike no value', async () => {
    const read = (id: string) =>
      rowsOf(`SELECT ${customValueOf('id')} AS value FROM (SELECT toUInt64(${id}) AS id)`);
    const { valueId } = await hashesOf(tenant);
    expect(await read(valueId)).to.deep.equal([{ value: { is_number: 0, value: 'platinum' } }]);
    expect(await read('0')).to.deep.equal([{ value: { is_number: 0, value: null } }]);
    expect(await read('5').catch(String)).to.include('custom values are being loaded');
  });

  /** Each change is a day later, and all are before the result. */
  async function changeTier(tier: string | number, of = tenant): Promise<void> {
    changes++;
    await changeMetadata(
      stores.database,
      of,
      { agent: { agent_id: household.agentId }, metadata: { custom: { tier } } },
      new Date(Date.UTC(2026, 0, changes)),
    );
  }

  async function published(): Promise<void> {
    await waitUntil(async () => (await stores.database('snapshot_outbox').first()) === undefined);
  }

  async function command(query: string): Promise<void> {
    await stores.clickhouse.command({ query });
  }

  function split(field: string) {
    return api.post('/metric_data', { ...request, splits: [field] });
  }

  async function pointsOf(client: DataApi, fields: object): Promise<object[]> {
    const { status, body } = await client.post('/metric_data', {
      ...request,
      splits: ['tier'],
      ...fields,
    });
    expect(status, JSON.stringify(body)).to.equal(200);
    return (body.data as { metricData: object[] }[]).flatMap(({ metricData }) => metricData);
  }

  /** Of the household's current metadata. */
  async function hashesOf({ organisationId }: Tenant) {
    const [row] = await rowsOf<{ customHash: string; valueId: string }>(
      `SELECT toString(custom_ids['tier']) AS valueId,
        toString(toUInt64(${metadataAsOfResult('timezone_custom_hash', 'agent_metadata')})) AS customHash
      FROM (SELECT *, toDateTime('2026-12-31 00:00:00') AS ended_at FROM agent_metadata_ids)
      WHERE organisation_id = ${organisationId} AND ended_at BETWEEN valid_from AND valid_to`,
    );
    return row!;
  }

  async function hasValue(id: string): Promise<number | undefined> {
    const [row] = await rowsOf<{ found: number }>(
      `SELECT dictHas('custom_value', toUInt64(${id})) AS found`,
    );
    return row?.found;
  }

  async function rowsOf<Row>(query: string): Promise<Row[]> {
    return (await stores.clickhouse.query({ query, format: 'JSONEachRow' })).json();
  }

  async function tiers(): Promise<unknown[]> {
    const { status, body } = await split('tier');
    expect(status, JSON.stringify(body)).to.equal(200);
    const [{ metricData }] = body.data as [{ metricData: { tier: unknown }[] }];
    return metricData.map(({ tier }) => tier);
  }
});
