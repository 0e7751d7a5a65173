import { expect } from 'chai';
import { DataApi } from '../../support/data-api.ts';
import { addDownloads } from '../../support/downloads.ts';
import { localStack } from '../../support/local-stack.ts';
import { plainRequest } from '../../support/plain-request.ts';
import { addAgent, newTenant, type Tenant } from '../../support/tenant.ts';

interface Series {
  readonly metricData: readonly Readonly<Record<string, unknown>>[];
}

const daily = {
  ...plainRequest,
  prefilter: true,
  time: { from: '2026-03-01 00:00', to: '2026-03-02 23:59:59' },
};

describe('POST /metric_data', () => {
  let tenant: Tenant;
  let api: DataApi;
  let url: string;

  before(async () => {
    const { database, clickhouse, queryUrl } = await localStack();
    url = queryUrl;
    tenant = await newTenant(database);
    api = new DataApi(queryUrl, tenant.dataToken);
    const agent = { agentId: 'wb/1 "quoted"', unitId: 71 };
    const agentKey = await addAgent(database, tenant.organisationId, agent);
    const from = (dtime: string, mbps: number, target: string) => ({
      agentKey,
      ...agent,
      dtime,
      mbps,
      target,
    });
    await addDownloads(clickhouse, tenant.organisationId, [
      from('2026-03-01 10:00:00', 10, 'a.example'),
      from('2026-03-01 11:00:00', 30, 'a.example'),
      from('2026-03-02 10:00:00', 50, 'a.example'),
      from('2026-03-01 10:00:01', 7, 'b "\n,"metricValue":1.example'),
    ]);
  });

  describe('200', () => {
    it('has one object per series, and each point has its split values', async () => {
      const { status, body, headers } = await api.post('/metric_data', {
        ...daily,
        splits: ['target'],
      });
      expect(status).to.equal(200);
      expect(headers.get('content-type')).to.match(/^application\/json/);
      expect(headers.get('netpanel-clock')).to.equal('agent-local');
      const points = (body.data as Series[]).map(({ metricData }) =>
        metricData.map((point) => [
          point.target,
          point.dtime,
          point.metricValue,
          point.sampleCount,
        ]),
      );
      expect(points).to.deep.equal([
        [
          ['a.example', '2026-03-01', 20, 2],
          ['a.example', '2026-03-02', 50, 1],
        ],
        [['b "\n,"metricValue":1.example', '2026-03-01', 7, 1]],
      ]);
    });

    it('has one object without splits', async () => {
      const { body } = await api.post('/metric_data', { ...daily, aggregation: 'total' });
      const [series, ...others] = body.data as Series[];
      expect(others).to.have.length(0);
      expect(series?.metricData).to.have.length(1);
      expect(series?.metricData[0]).to.include({ metricValue: 24.25, min: 7, max: 50 });
    });

    it('has raw points with the local time, the agent and the unit', async () => {
      const { body } = await api.post('/metric_data', {
        ...daily,
        chartType: 'raw',
        aggregation: undefined,
        filters: [{ id: 'target', filterType: 'include', filterValues: ['a.example'] }],
        time: { from: '2026-03-01 10:00', to: '2026-03-01 10:59:59' },
      });
      expect(body.data).to.deep.equal([
        {
          metricData: [
            {
              metricValue: 10,
              dtime: '2026-03-01T10:00:00',
              agent: 'wb/1 "quoted"',
              unit: '71',
            },
          ],
        },
      ]);
    });

    it('has one object of raw points, ordered by time, with a column per split', async () => {
      const { body } = await api.post('/metric_data', {
        ...daily,
        chartType: 'raw',
        splits: ['target', 'unit'],
      });
      const [series, ...others] = body.data as Series[];
      expect(others).to.have.length(0);
      expect(
        series?.metricData.map((point) => [point.dtime, point.target, point.unit]),
      ).to.deep.equal([
        ['2026-03-01T10:00:00', 'a.example', '71'],
        ['2026-03-01T10:00:01', 'b "\n,"metricValue":1.example', '71'],
        ['2026-03-01T11:00:00', 'a.example', '71'],
        ['2026-03-02T10:00:00', 'a.example', '71'],
      ]);
    });

    it('has an empty text as the unit of an agent that is no unit', async () => {
      const { database, clickhouse, queryUrl } = await localStack();
      const tenant = await newTenant(database);
      const agentKey = await addAgent(database, tenant.organisationId, { agentId: 'phone' });
      await addDownloads(clickhouse, tenant.organisationId, [
        { agentKey, agentId: 'phone', dtime: '2026-03-01 10:00:00', mbps: 10 },
      ]);
      for (const splits of [[], ['unit']]) {
        const { body } = await new DataApi(queryUrl, tenant.dataToken).post('/metric_data', {
          ...daily,
          chartType: 'raw',
          splits,
        });
        expect((body.data as Series[])[0]?.metricData[0]).to.have.property('unit', '');
      }
    });

    it('has one empty object when there are no results, and none with splits', async () => {
      const nothing = { ...daily, time: { from: '2020-03-01 00:00', to: '2020-03-02 00:00' } };
      for (const chartType of ['aggregate', 'raw']) {
        const { status, body } = await api.post('/metric_data', { ...nothing, chartType });
        expect(status).to.equal(200);
        expect(body.data).to.deep.equal([{ metricData: [] }]);
        const split = await api.post('/metric_data', { ...nothing, chartType, splits: ['isp'] });
        expect(split.body.data).to.deep.equal([]);
      }
    });

    it('has a new query id in a header each time', async () => {
      const ids = await Promise.all(
        [1, 2].map(async () => {
          const { headers } = await api.post('/metric_data', daily, { 'x-request-id': 'mine' });
          expect(headers.get('x-request-id')).to.equal('mine');
          return headers.get('x-query-id') ?? '';
        }),
      );
      expect(ids[0]).to.match(/^mine\./);
      expect(ids[1]).to.match(/^mine\./);
      expect(ids[0]).not.to.equal(ids[1]);
    });

    // ClickHouse reads blocks of rows that contain rows of other organisations too.
    it('does not show how many rows ClickHouse has read', async () => {
      const { headers } = await api.post('/metric_data', daily);
      expect([...headers.keys()].filter((name) => /read|summary/.test(name))).to.deep.equal([]);
    });

    it('accepts the token with the Bearer scheme too', async () => {
      const { status } = await new DataApi(url, `Bearer ${tenant.dataToken}`).post(
        '/metric_data',
        daily,
      );
      expect(status).to.equal(200);
    });
  });

  it('400: a body that is not JSON', async () => {
    const { status, body } = await api.post('/metric_data', '{"metric":');
    expect(status).to.equal(400);
    expect(body).to.deep.equal({
      code: 'BAD_REQUEST',
      message: 'The request body is not valid JSON',
    });
  });

  it('413: a body over the limit', async () => {
    const { status, body } = await api.post('/metric_data', { ...daily, x: 'x'.repeat(1_048_576) });
    expect(status).to.equal(413);
    expect(body.message).to.include('1048576 bytes');
  });

  it('415: a body with another content type', async () => {
    const { status, body } = await api.post('/metric_data', 'metric=httpget', {
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect(status).to.equal(415);
    expect(body.code).to.equal('UNSUPPORTED_MEDIA_TYPE');
  });

  describe('422', () => {
    it('lists all errors at once, by field', async () => {
      const { status, body } = await api.post('/metric_data', {
        metric: 'htpget',
        chartType: 'aggregate',
        normalised: 'yes',
        prefilter: true,
        filters: [{ id: 'ips', filterType: 'include', filterValues: [] }],
      });
      expect(status).to.equal(422);
      expect(body.code).to.equal('VALIDATION_FAIL');
      expect(body.message).to.equal('Validation failed');
      expect(body.errors).to.include.keys('metric', 'aggregation', 'normalised', 'time');
      expect(body.errors?.metric?.[0]).to.include('"httpget"');
    });

    it('a missing body, or one that is not an object', async () => {
      for (const body of ['[]', 'null', '"x"', '']) {
        const { status } = await api.post('/metric_data', body);
        expect(status, body).to.equal(422);
      }
    });
  });
});
