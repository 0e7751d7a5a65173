import { expect } from 'chai';
import { changeGrants, type GrantKind } from '../../../services/registry/organisations/grants.ts';
import { DataApi } from '../../support/data-api.ts';
import { localStack } from '../../support/local-stack.ts';
import { newTenant } from '../../support/tenant.ts';

const metricRequest = {
  metric: 'httpget',
  chartType: 'raw',
  normalised: false,
  prefilter: false,
  time: { from: '2026-01-01 00:00', to: '2026-01-02 23:59' },
};
const testRequest = { test: 'httppost', date: { from: '2026-01', to: '2026-01' } };
const metricPaths = [
  '/metric_data',
  '/metric_data/explain',
  '/metric_data.csv',
  '/metric_data_download',
];
const testPaths = ['/test_data', '/test_data/explain', '/test_data.csv', '/test_data_download'];

const stack = await localStack();

describe('an organisation', () => {
  it('with a grant of one metric and none of tests sees that metric and no test', async () => {
    const api = await limited({ metric: ['httpget'], test: [] });
    expect(keysOf((await api.get('/metrics')).body.data)).to.deep.equal(['httpget']);
    expect((await api.get('/tests')).body.data).to.deep.equal([]);
    for (const path of metricPaths) {
      expect((await api.post(path, metricRequest)).status, path).to.equal(200);
    }
    for (const path of testPaths) {
      const { status, body } = await api.post(path, testRequest);
      expect(status, path).to.equal(422);
      expect(body.errors, path).to.have.all.keys('test');
    }
  });

  it('with a grant of one test and none of metrics sees that test and no metric', async () => {
    const api = await limited({ metric: [], test: ['httppost'] });
    for (const path of ['/metrics', '/splits', '/filters']) {
      expect((await api.get(path)).body.data, path).to.deep.equal([]);
    }
    expect((await api.get('/filters/isp/values')).status).to.equal(404);
    for (const path of testPaths) {
      expect((await api.post(path, testRequest)).status, path).to.equal(200);
    }
    for (const path of metricPaths) {
      const { status, body } = await api.post(path, metricRequest);
      expect(status, path).to.equal(422);
      expect(body.errors, path).to.have.all.keys('metric');
    }
  });

  it('sees nothing of a kind after its last grant of that kind is removed', async () => {
    const { database, queryUrl } = stack;
    const { organisationId, dataToken } = await newTenant(database);
    for (const kind of ['metric', 'test'] as const) {
      const keys = ['httpget'];
      await changeGrants(database, organisationId, kind, { action: 'only', keys });
      await changeGrants(database, organisationId, kind, { action: 'remove', keys });
    }
    const api = new DataApi(queryUrl, dataToken);
    expect((await api.get('/metrics')).body.data).to.deep.equal([]);
    expect((await api.get('/tests')).body.data).to.deep.equal([]);
  });

  it('keeps both keys of two grants at the same time', async () => {
    const { database } = stack;
    const { organisationId } = await newTenant(database);
    await changeGrants(database, organisationId, 'test', { action: 'only', keys: [] });
    const grant = (key: string) =>
      changeGrants(database, organisationId, 'test', { action: 'add', keys: [key] });
    await Promise.all(['dns', 'ping', 'httpget', 'webget'].map(grant));
    expect(await grant('jitter')).to.deep.equal(['dns', 'httpget', 'jitter', 'ping', 'webget']);
  });

  /** Limited before its first request, because the service caches access. */
  async function limited(grants: Record<GrantKind, readonly string[]>): Promise<DataApi> {
    const { organisationId, dataToken } = await newTenant(stack.database);
    for (const kind of ['metric', 'test'] as const) {
      const change = { action: 'only', keys: grants[kind] } as const;
      await changeGrants(stack.database, organisationId, kind, change);
    }
    return new DataApi(stack.queryUrl, dataToken);
  }
});

function keysOf(listed: unknown): readonly string[] {
  return (listed as { key: string }[]).map(({ key }) => key);
}
