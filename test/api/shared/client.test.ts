import { expect } from 'chai';
import {
  createIngestClient,
  createMetadataClient,
  createQueryClient,
  type IngestClient,
  isAggregated,
  type MetadataClient,
  type MetricQuery,
  type QueryClient,
} from '../../../openapi/client/index.ts';
import { type IngestTenant, ingestTenant, ndjson, result } from '../../support/ingest-tenant.ts';
import { type LocalStack, localStack } from '../../support/local-stack.ts';
import { metadataTenant } from '../../support/metadata-tenant.ts';

describe('the generated client', () => {
  let stack: LocalStack;
  let query: QueryClient;

  // The last days of the sample panel.
  const daily = {
    metric: 'httpget',
    chartType: 'aggregate',
    aggregation: 'daily',
    normalised: false,
    prefilter: true,
    splits: ['isp'],
    time: { from: '2026-11-10 00:00', to: '2026-11-12 23:59:59' },
  } satisfies MetricQuery;

  before(async () => {
    stack = await localStack();
    const token = stack.env.DEMO_DATA_TOKEN ?? '';
    query = createQueryClient({ baseUrl: stack.queryUrl, token });
  });

  describe('of the data interface', () => {
    it('reads aggregated points with their splits', async () => {
      const { data } = await query.POST('/metric_data', { body: daily });
      const points = data!.data.flatMap(({ metricData }) => metricData).filter(isAggregated);
      const days = ['2026-11-10', '2026-11-11', '2026-11-12'];
      expect(new Set(points.map(({ dtime }) => dtime))).to.deep.equal(new Set(days));
      expect(points.map(({ isp }) => isp)).to.include('Northwave');
      for (const { median, percentiles, sampleCount } of points) {
        expect(median).to.equal(percentiles['50']);
        expect(sampleCount).to.be.greaterThan(0);
      }
    });

    it('reads raw points and the rows of a test', async () => {
      const time = { from: '2026-11-10 00:00', to: '2026-11-10 01:00' };
      const raw = await query.POST('/metric_data', { body: { ...daily, chartType: 'raw', time } });
      const [point] = raw.data!.data[0]!.metricData;
      expect(point!.dtime).to.match(/^2026-11-10T0[01]:/);
      expect(isAggregated(point!)).to.be.false;

      const date = { from: '2026-11-10', to: '2026-11-10' };
      const rows = await query.POST('/test_data', { body: { test: 'dns', date } });
      expect(rows.data!.data[0]!.ddate).to.equal('2026-11-10');
    });

    it('lists metrics, filters and the values of a filter', async () => {
      const metrics = await query.GET('/metrics');
      const httpget = metrics.data!.data.find(({ key }) => key === 'httpget');
      expect(httpget!.unit).to.equal('mbps');
      const filters = await query.GET('/filters');
      const isp = filters.data!.data.find(({ id }) => id === 'isp');
      expect(isp!.filterTypes).to.deep.equal(['include', 'exclude']);
      const values = await query.GET('/filters/{id}/values', {
        params: { path: { id: 'isp' }, query: { search: 'north' } },
      });
      expect(values.data!.data).to.include('Northwave');
    });

    it('exports a file whose link needs no token', async () => {
      const { data } = await query.POST('/metric_data.csv', { body: daily });
      const { url, statusUrl } = data!.data;
      const csv = await (await fetch(url)).text();
      expect(csv.split('\n')[0]).to.contain('"isp"').and.to.contain('"metricValue"');
      const id = statusUrl.slice(statusUrl.lastIndexOf('/') + 1);
      const status = await query.GET('/exports/{id}', { params: { path: { id } } });
      expect(status.data!.data.status).to.equal('ready');
      expect(csv.trim().split('\n')).to.have.length(status.data!.data.rows + 1);
    });

    it('returns the code and fields of a failed request', async () => {
      const { data, error, response } = await query.POST('/metric_data', {
        body: { ...daily, metric: 'httpgot' },
      });
      expect(data).to.equal(undefined);
      expect(response.status).to.equal(422);
      expect(error!.code).to.equal('VALIDATION_FAIL');
      expect(error!.errors!.metric![0]).to.contain('httpget');
      const unknownClient = createQueryClient({ baseUrl: stack.queryUrl, token: 'unknown' });
      expect((await unknownClient.GET('/metrics')).error!.code).to.equal('ACCESS_DENIED');
    });
  });

  describe('of the metadata interface', () => {
    let metadata: MetadataClient;

    before(async () => {
      const { tenant } = await metadataTenant();
      const token = tenant.metadataToken;
      metadata = createMetadataClient({ baseUrl: stack.metadataUrl, token });
    });

    it('sets and reads the metadata of an agent', async () => {
      const put = await metadata.PUT('/metadata', {
        body: {
          agent: { unit_id: 1 },
          metadata: { package: 'Northwave:Fibre 500', custom: { floor: 3 } },
        },
      });
      expect(put.data!.code).to.equal('OK');
      const read = await metadata.GET('/metadata/{field}/{value}', {
        params: { path: { field: 'unit', value: '1' } },
      });
      expect(read.data!.data).to.deep.equal({
        package: 'Northwave:Fibre 500',
        isp: 'Northwave',
        timezone: null,
        custom: { floor: 3 },
      });
    });

    it('returns the code and fields of a failed change', async () => {
      const { error } = await metadata.PUT('/metadata', {
        body: { agent: { unit_id: 1 }, metadata: { timezone: 'Mars/Olympus' } },
      });
      if (error?.code !== 'VALIDATION_FAIL') throw new Error('the change was not rejected');
      expect(error.errors['metadata[timezone]']).to.deep.equal([
        'Mars/Olympus is not a valid IANA timezone.',
      ]);
    });
  });

  describe('of the ingestion interface', () => {
    let tenant: IngestTenant;
    let ingest: IngestClient;
    const params = { path: { test: 'httpget' } };

    before(async () => {
      tenant = await ingestTenant();
      ingest = createIngestClient({ baseUrl: stack.ingestUrl, token: tenant.token });
    });

    it('sends results as JSON and as NDJSON', async () => {
      const { data } = await ingest.POST('/results/{test}', { params, body: [result(1, 100)] });
      expect(data!.data).to.deep.include({ stored: 1, rejected: 0 });
      const lines = await ingest.POST('/results/{test}', {
        params,
        headers: { 'Content-Type': 'application/x-ndjson' },
        body: ndjson(result(2, 200), result(3, 'fast')),
      });
      expect(lines.data!.data.rejects.map(({ row, column }) => [row, column])).to.deep.equal([
        [2, 'bytes_sec'],
      ]);
      const stored = (await tenant.rows('httpget', 'bytes_sec')).map((row) =>
        Number(row.bytes_sec),
      );
      expect(stored).to.deep.equal([200, 100]);
    });

    it('returns the code and rows of a failed request', async () => {
      const { error } = await ingest.POST('/results/{test}', { params, body: [result(4, 'slow')] });
      if (error?.code !== 'VALIDATION_FAIL') throw new Error('the row was not rejected');
      expect(Object.keys(error.errors)).to.deep.equal(['rows[1][bytes_sec]']);
    });
  });
});
