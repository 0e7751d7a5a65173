import { expect } from 'chai';
import { DataApi } from '../../support/data-api.ts';
import { addDownloads } from '../../support/downloads.ts';
import { localStack } from '../../support/local-stack.ts';
import { plainRequest } from '../../support/plain-request.ts';
import { addAgent, newTenant } from '../../support/tenant.ts';
import { waitUntilPublished } from '../../support/wait-until-published.ts';

type Point = Readonly<Record<string, unknown>>;

/** The form of the requests that the public clients of the original interface send. */
const sent = {
  ...plainRequest,
  metric: 'httpgetmt',
  prefilter: true,
  agent_agg: false,
  splits: ['unit'],
  filters: [{ id: 'threads', filterType: 1, filterValues: ['8'] }],
  time: { from: '2026-03-01 00:00:00', to: '2026-03-01 23:59:59' },
};

describe('a request of a public client of the original interface', () => {
  let api: DataApi;

  before(async () => {
    const { database, clickhouse, queryUrl } = await localStack();
    const { organisationId, dataToken } = await newTenant(database);
    api = new DataApi(queryUrl, dataToken);
    const results = { 71: [10, 30], 72: [50, 60, 70] };
    for (const [unit, speeds] of Object.entries(results)) {
      const agent = { agentId: `wb-${unit}`, unitId: Number(unit) };
      const agentKey = await addAgent(database, organisationId, agent);
      const at = (hour: number, mbps: number, threads: number) => ({
        ...{ ...agent, agentKey, mbps, threads },
        dtime: `2026-03-01 ${hour + 10}:00:00`,
      });
      await addDownloads(clickhouse, organisationId, [
        ...speeds.map((mbps, hour) => at(hour, mbps, 8)),
        // Another number of threads, which the filter excludes.
        at(9, 900, 3),
      ]);
    }
    await waitUntilPublished(database, organisationId);
  });

  const points = async (changes: object, path = '/metric_data') => {
    const { status, body } = await api.post(path, { ...sent, ...changes });
    expect(status, JSON.stringify(body)).to.equal(200);
    expect(body).not.to.have.property('warnings');
    return (body.data as { metricData: Point[] }[]).map(({ metricData }) => metricData);
  };
  const valuesOf = (series: Point[][]) =>
    series.map((one) =>
      one.map(({ unit, dtime, metricValue, sampleCount }) => [
        unit,
        dtime,
        metricValue,
        sampleCount,
      ]),
    );

  it('gets one series per unit when it splits by unit', async () => {
    expect(valuesOf(await points({}))).to.deep.equal([
      [['71', '2026-03-01', 20, 2]],
      [['72', '2026-03-01', 60, 3]],
    ]);
  });

  it('keeps the listed units with filterType 1 and drops them with filterType 0', async () => {
    const filter = { id: 'unit', filterValues: ['71'] };
    const only = await points({ filters: [...sent.filters, { ...filter, filterType: 1 }] });
    expect(valuesOf(only)).to.deep.equal([[['71', '2026-03-01', 20, 2]]]);
    const without = await points({ filters: [...sent.filters, { ...filter, filterType: 0 }] });
    expect(valuesOf(without)).to.deep.equal([[['72', '2026-03-01', 60, 3]]]);
  });

  it('gets each household once with agent_agg, and each result once without', async () => {
    const total = { aggregation: 'total', splits: [] };
    const [[households]] = (await points({ ...total, agent_agg: true })) as [[Point]];
    expect(households).to.include({ metricValue: 40, sampleCount: 5, agentCount: 2 });
    const [[results]] = (await points({ ...total, agent_agg: false })) as [[Point]];
    expect(results).to.include({ metricValue: 44, sampleCount: 5, agentCount: 2 });
  });

  it('gets every result of its units with chartType raw', async () => {
    const [raw] = (await points({ chartType: 'raw' })) as [Point[]];
    expect(raw.map(({ unit, metricValue }) => [unit, metricValue])).to.have.deep.members([
      ['71', 10],
      ['71', 30],
      ['72', 50],
      ['72', 60],
      ['72', 70],
    ]);
  });

  it('gets the same rows as a CSV file', async () => {
    const { status, body } = await api.post('/metric_data.csv', sent);
    expect(status).to.equal(200);
    const { rows } = body.data as { rows: number };
    expect(rows).to.equal(2);
  });
});
