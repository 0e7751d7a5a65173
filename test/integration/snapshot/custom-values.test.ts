import { expect } from 'chai';
import type { Snapshots } from '../../../services/metadata/snapshot/start-snapshots.ts';
import { customValueOf } from '../../../services/query/compiler/field-value.ts';
import { changeMetadata } from '../../support/change-metadata.ts';
import { DataApi } from '../../support/data-api.ts';
import { addResults } from '../../support/household.ts';
import { type IsolatedStores, isolatedStores } from '../../support/isolated-stores.ts';
import { type QueryService, startQueryService } from '../../support/query-service.ts';
import { addAgent, newTenant, type Tenant } from '../../support/tenant.ts';
import { waitUntil } from '../../support/wait-until.ts';

const household = { agentId: 'box-1', unitId: 1, macAddress: '02:00:00:00:00:01' };

/**
 * cityHash64 is the same for {"tier":"gold"} and for the JSON of these, which are found in a second: it must not
 * identify what organisations choose.
 */
const sameCityHashAsGold = ['50-_OsSXsf$n*KH0inoII', 'jkVjx2d:9q}Tiz 3W6SsN'];

describe('custom values in ClickHouse', function () {
  this.timeout(120_000);
  let stores: IsolatedStores;
  let publisher: Snapshots;
  let service: QueryService;
  let tenant: Tenant;
  let api: DataApi;
  let changes = 0;

  before(async () => {
    stores = await isolatedStores();
    tenant = await newTenant(stores.database);
    const agentKey = await addAgent(stores.database, tenant.organisationId, household);
    await addResults(stores.clickhouse, tenant, household, agentKey);
    await changeTier('gold');
    publisher = stores.startPublisher();
    await published();
    service = await startQueryService({ ...stores.env, STORED_ANSWERS_BYTES: '0' });
    api = new DataApi(service.url, tenant.dataToken);
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
    const other = await newTenant(stores.database);
    await addAgent(stores.database, other.organisationId, household);
    for (const tier of sameCityHashAsGold) {
      await changeTier(tier, other);
      await changeTier('gold');
      await published();
      expect(await tiers()).to.deep.equal(['gold']);
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
    const read = async (id: string) => {
      const result = await stores.clickhouse.query({
        query: `SELECT ${customValueOf('id')} AS value FROM (SELECT toUInt64(${id}) AS id)`,
        format: 'JSONEachRow',
      });
      return result.json();
    };
    expect(await read("sipHash64(0::UInt8, 'gold')")).to.deep.equal([
      { value: { is_number: 0, value: 'gold' } },
    ]);
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
    return api.post('/metric_data', {
      metric: 'httpget',
      chartType: 'aggregate',
      aggregation: 'total',
      normalised: false,
      prefilter: false,
      filters: [],
      time: { from: '2026-01-01 00:00:00', to: '2026-01-31 23:59:59' },
      splits: [field],
    });
  }

  async function tiers(): Promise<unknown[]> {
    const { status, body } = await split('tier');
    expect(status, JSON.stringify(body)).to.equal(200);
    const [{ metricData }] = body.data as [{ metricData: { tier: unknown }[] }];
    return metricData.map(({ tier }) => tier);
  }
});
