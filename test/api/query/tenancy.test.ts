import { expect } from 'chai';
import { DataApi } from '../../support/data-api.ts';
import { addDownloads } from '../../support/downloads.ts';
import { localStack } from '../../support/local-stack.ts';
import { addAgent, newTenant } from '../../support/tenant.ts';
import { waitUntilPublished } from '../../support/wait-until-published.ts';

const time = { from: '2026-04-01 00:00', to: '2026-04-30 23:59' };
const base = { metric: 'httpget', normalised: false, prefilter: false, time };
const daily = { ...base, chartType: 'aggregate', aggregation: 'daily' };

/** The points of metric data, or the rows of test data. */
function rowsOf(data: unknown): unknown[] {
  return (data as { metricData?: unknown[] }[]).flatMap(
    ({ metricData, ...row }) => metricData ?? row,
  );
}

describe("another organisation's token", () => {
  let owner: DataApi;
  let other: DataApi;

  before(async () => {
    const { database, clickhouse, queryUrl } = await localStack();
    const [owning, others] = [await newTenant(database), await newTenant(database)];
    owner = new DataApi(queryUrl, owning.dataToken);
    other = new DataApi(queryUrl, others.dataToken);
    const agent = { agentId: 'secret-agent', unitId: 4711 };
    const agentKey = await addAgent(database, owning.organisationId, agent);
    await addDownloads(clickhouse, owning.organisationId, [
      { ...agent, agentKey, dtime: '2026-04-10 10:00:00', mbps: 5, target: 'secret.example' },
    ]);
    await waitUntilPublished(database, owning.organisationId);
  });

  const unitFilter = { id: 'unit', filterType: 'include', filterValues: ['4711'] };
  for (const [what, path, body] of [
    ['aggregated metric data', '/metric_data', daily],
    ['raw metric data', '/metric_data', { ...base, chartType: 'raw' }],
    ['metric data of a unit', '/metric_data', { ...daily, filters: [unitFilter] }],
    ['test data', '/test_data', { test: 'httpget', date: { from: '2026-04', to: '2026-04' } }],
  ] as const) {
    it(`sees nothing of ${what}`, async () => {
      expect(rowsOf((await owner.post(path, body)).body.data)).not.to.be.empty;
      expect(rowsOf((await other.post(path, body)).body.data)).to.deep.equal([]);
    });
  }

  for (const id of ['agent', 'unit', 'target', 'base', 'target_set', 'threads']) {
    it(`sees no value of ${id}`, async () => {
      expect((await owner.get(`/filters/${id}/values`)).body.data).not.to.be.empty;
      expect((await other.get(`/filters/${id}/values`)).body.data).to.deep.equal([]);
    });
  }

  it('gets the SQL of its own organisation from the explain endpoint', async () => {
    const sqlOf = async (api: DataApi) =>
      ((await api.post('/metric_data/explain', daily)).body.data as { inlined: string }).inlined;
    expect(await sqlOf(other)).not.to.equal(await sqlOf(owner));
  });

  it('cannot name another organisation in a request', async () => {
    const named = { ...daily, organisationId: 1, organisation_id: 1 };
    const { status, body } = await other.post('/metric_data', named);
    expect(status).to.equal(200);
    expect(rowsOf(body.data)).to.deep.equal([]);
    expect(body.warnings?.map(({ field }) => field)).to.include('organisationId');
  });
});
