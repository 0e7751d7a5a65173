import { expect } from 'chai';
import { changeMetadata } from '../../support/change-metadata.ts';
import { DataApi, type DataResponse } from '../../support/data-api.ts';
import { type IsolatedStores, isolatedStores } from '../../support/isolated-stores.ts';
import { plainRequest } from '../../support/plain-request.ts';
import { type QueryService, startQueryService } from '../../support/query-service.ts';
import { addAgent, newTenant, type Tenant } from '../../support/tenant.ts';
import { waitUntil } from '../../support/wait-until.ts';

const header = 'Netpanel-Metadata-Version';
const daily = {
  ...plainRequest,
  time: { from: '-7 days', to: 'now' },
};

describe('metadata that is not published', () => {
  let stores: IsolatedStores;
  let tenant: Tenant;
  let service: QueryService;
  let api: DataApi;

  before(async () => {
    stores = await isolatedStores();
    tenant = await newTenant(stores.database);
    await addAgent(stores.database, tenant.organisationId, { agentId: 'a', unitId: 1 });
    service = await startQueryService({ ...stores.env, METADATA_WAIT_MS: '1000' });
    api = new DataApi(service.url, tenant.dataToken);
    await publish();
  });
  after(async () => {
    await service.stop();
    await stores.close();
  });

  async function change(custom: object): Promise<number> {
    const body = { agent: { unit_id: 1 }, metadata: { custom } };
    return (await changeMetadata(stores.database, tenant, body)).metadataVersion;
  }

  async function publish(): Promise<void> {
    const publisher = stores.startPublisher();
    await waitUntil(
      async () => (await stores.database('snapshot_outbox').first('id')) === undefined,
    );
    await publisher.stop();
  }

  it('is reported by every response that did not use it, with the version that it used', async () => {
    const version = await change({ first: 1 });
    const warning = {
      code: 'METADATA_BEHIND',
      message:
        `Version ${version - 1} of your organisation's metadata was used, and ${version} is the current one: ` +
        `recent changes may be missing. Send the header ${header}: ${version} to wait for them.`,
    };
    const days = { test: 'httpget', date: { from: '-7 days', to: 'now' } };
    const responses: readonly [string, DataResponse][] = [
      ['metric data', await api.post('/metric_data', daily)],
      ['test data', await api.post('/test_data', days)],
      ['explain', await api.post('/metric_data/explain', daily)],
      ['an export', await api.post('/test_data.csv', days)],
      ['a listing', await api.get('/splits')],
      ['filter values', await api.get('/filters/isp/values')],
    ];
    for (const [what, { headers, body }] of responses) {
      expect(headers.get(header), what).to.equal(String(version - 1));
      expect(reported(body), what).to.deep.equal([warning]);
    }
    // The missing change may contain the value.
    const filters = [{ id: 'isp', filterType: 'include', filterValues: ['Unheard'] }];
    const filtered = await api.post('/metric_data', { ...daily, filters });
    expect(reported(filtered.body)).to.deep.equal([warning]);
    const { body } = await api.post('/metric_data', { ...daily, splits: ['first'] });
    expect(body.errors?.['splits[0]']?.[0]).to.match(/^Unknown field "first"\./);
    expect(body.errors?.['splits[0]']?.[0]).to.contain(warning.message);
  });

  it('is waited for, and then refused with 503 and Retry-After', async () => {
    const version = await change({ second: 1 });
    const { status, headers, body } = await api.post('/metric_data', daily, {
      [header]: String(version),
    });
    expect(status).to.equal(503);
    expect(headers.get('retry-after')).to.equal('1');
    expect(body.code).to.equal('SERVICE_UNAVAILABLE');
    expect(body.message).to.contain(`do not use version ${version}`);
    expect(Number(headers.get(header))).to.be.below(version);
  });

  it('is used by a waiting request as soon as it is published', async () => {
    const patient = await startQueryService({ ...stores.env, METADATA_WAIT_MS: '60000' });
    try {
      const version = await change({ third: 'seen' });
      const waiting = new DataApi(patient.url, tenant.dataToken).post(
        '/metric_data',
        { ...daily, splits: ['third'] },
        { [header]: String(version) },
      );
      await publish();
      const { status, headers, body } = await waiting;
      expect(status, JSON.stringify(body)).to.equal(200);
      expect(headers.get(header)).to.equal(String(version));
      expect(reported(body)).to.deep.equal([]);
    } finally {
      await patient.stop();
    }
  });

  it('is waited for by 100 requests of an organisation at most, which hold no query slot', async () => {
    const patient = await startQueryService({
      ...stores.env,
      METADATA_WAIT_MS: '120000',
      MAX_RUNNING_QUERIES: '1',
    });
    const disconnect = new AbortController();
    try {
      const version = String(await change({ fourth: 1 }));
      const patientApi = new DataApi(patient.url, tenant.dataToken);
      let refusals = 0;
      const list = async (signal: AbortSignal): Promise<number | 'disconnected'> => {
        const headers = { authorization: tenant.dataToken, [header]: version };
        try {
          const { status } = await fetch(`${patient.url}/splits`, { headers, signal });
          if (status === 429) refusals++;
          return status;
        } catch {
          return 'disconnected';
        }
      };
      const requests = Array.from({ length: 105 }, () => list(disconnect.signal));
      await waitUntil(() => refusals === 5);
      const refused = await patientApi.send('GET', '/splits', { headers: { [header]: version } });
      expect(refused.body.message).to.contain('100 requests that wait for metadata');
      expect(refused.headers.get('retry-after')).to.equal('1');
      expect((await patientApi.get('/splits')).status).to.equal(200);
      expect((await patientApi.post('/metric_data', daily)).status).to.equal(200);

      disconnect.abort();
      const statuses = await Promise.all(requests);
      expect(statuses.filter((status) => status === 'disconnected')).to.have.length(100);
      // A request that may wait again is one that disconnects before its answer.
      await waitUntil(async () => (await list(AbortSignal.timeout(2_000))) === 'disconnected');
    } finally {
      disconnect.abort();
      await patient.stop();
    }
  });

  it('does not keep a request waiting for a version that another organisation has', async () => {
    const other = await newTenant(stores.database);
    const { status } = await new DataApi(service.url, other.dataToken).post('/metric_data', daily, {
      [header]: '1',
    });
    expect(status).to.equal(422);
  });
});

/** The organisation has no results, which responses also warn of. */
function reported({ warnings = [] }: DataResponse['body']) {
  return warnings.filter(({ code }) => code !== 'NO_RESULTS');
}
