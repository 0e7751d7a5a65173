import { expect } from 'chai';
import { DataApi } from '../../support/data-api.ts';
import { addManyDownloads } from '../../support/downloads.ts';
import { freePort } from '../../support/free-port.ts';
import { localStack } from '../../support/local-stack.ts';
import { metadataClient } from '../../support/metadata-client.ts';
import {
  type OtlpReceiver,
  type ReceivedSpan,
  startOtlpReceiver,
} from '../../support/otlp-receiver.ts';
import { isolatedStores } from '../../support/isolated-stores.ts';
import { plainRequest } from '../../support/plain-request.ts';
import { type ServiceProcess, startServiceProcess } from '../../support/service-process.ts';
import { onlyQuerySpan, newTraceparent, onlySpan } from '../../support/spans.ts';
import { addAgent, newTenant, type Tenant } from '../../support/tenant.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { startRecordingProxy } from '../../support/recording-proxy.ts';

const rowCount = 60_000;
const total = {
  ...plainRequest,
  aggregation: 'total',
  time: { from: '2026-01-01 00:00', to: '2026-01-31 23:59' },
  filters: [{ id: 'target', filterType: 'include', filterValues: ['many.example.net'] }],
};
const raw = { ...total, chartType: 'raw', aggregation: undefined };
const fastExport = { OTEL_BSP_SCHEDULE_DELAY: '100' };
/** Span kinds of OTLP. */
const kinds = { internal: 1, server: 2, client: 3 };
const statusError = 2;
/** Spans start at whole milliseconds with an exact duration, so their ends can be off by that. */
const clockStepNs = 2_000_000n;

const stack = await localStack();

describe('traces', () => {
  let tenant: Tenant;
  let collector: OtlpReceiver;

  before(async () => {
    tenant = await newTenant(stack.database);
    await addManyDownloads(stack.clickhouse, tenant.organisationId, rowCount);
    collector = await startOtlpReceiver();
  });
  after(() => collector.stop());

  describe('of the query service', () => {
    let service: ServiceProcess;
    let api: DataApi;

    before(async () => {
      service = await startServiceProcess('query', {
        ...fastExport,
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=open-sesame',
      });
      api = new DataApi(service.url, tenant.dataToken);
    });
    after(() => service.kill('SIGTERM'));

    it('show a request as one tree: authenticate, compile, query, stream', async () => {
      const trace = newTraceparent();
      const headers = { traceparent: trace.header, 'cache-control': 'no-cache' };
      const { status } = await api.post('/metric_data', total, headers);
      expect(status).to.equal(200);
      const spans = await collector.traceWith(trace.traceId, 'POST /metric_data');

      const root = onlySpan(spans, 'POST /metric_data');
      expect(root).to.include({
        parentSpanId: trace.spanId,
        kind: kinds.server,
        service: 'netpanel-query',
      });
      expect(root.attributes).to.include({
        'http.request.method': 'POST',
        'http.route': '/metric_data',
        'http.response.status_code': 200,
      });
      for (const name of ['authenticate', 'compile', 'stream']) {
        expect(onlySpan(spans, name)).to.include({
          parentSpanId: root.spanId,
          kind: kinds.internal,
        });
      }
      const query = onlyQuerySpan(spans, 'metric_data');
      expect(query).to.include({ parentSpanId: root.spanId, kind: kinds.client });
      expect(query.attributes).to.include({ 'db.system.name': 'clickhouse' });
      // More if the same granules contain results of other organisations.
      expect(query.attributes['netpanel.rows_read']).to.be.at.least(rowCount);
      expect(spans.filter(({ spanId }) => spanId !== root.spanId)).to.satisfy(
        (others: ReceivedSpan[]) =>
          others.every(
            (one) => root.startNs <= one.startNs && one.endNs <= root.endNs + clockStepNs,
          ),
      );
      const inOrder = ['authenticate', 'compile', 'stream'].map(
        (name) => onlySpan(spans, name).startNs,
      );
      expect(inOrder).to.deep.equal([...inOrder].sort((a, b) => (a < b ? -1 : 1)));
      expect(onlySpan(spans, 'compile').startNs <= query.startNs).to.be.true;
    });

    it('show a raw response as a stream that ends with the last byte', async () => {
      const trace = newTraceparent();
      await api.post('/metric_data', raw, { traceparent: trace.header });
      const spans = await collector.traceWith(trace.traceId, 'POST /metric_data');
      const stream = onlySpan(spans, 'stream');
      const query = onlyQuerySpan(spans, 'metric_data');
      expect(stream.startNs >= query.startNs).to.be.true;
      expect(stream.endNs + clockStepNs >= query.endNs).to.be.true;
      expect(stream.endNs <= onlySpan(spans, 'POST /metric_data').endNs + clockStepNs).to.be.true;
    });

    it('show an export, its queries and its file below the request', async () => {
      const trace = newTraceparent();
      await api.post('/metric_data.csv', total, { traceparent: trace.header });
      const spans = await collector.traceWith(trace.traceId, 'POST /metric_data.csv');
      const exported = onlySpan(spans, 'export');
      expect(exported.parentSpanId).to.equal(onlySpan(spans, 'POST /metric_data.csv').spanId);
      expect(onlySpan(spans, 'store').parentSpanId).to.equal(exported.spanId);
      const queries = spans.filter((one) => one.attributes['db.operation.name'] === 'export');
      expect(queries.map(({ parentSpanId }) => parentSpanId)).to.include(exported.spanId);
    });

    it('show where a request failed, without its content', async () => {
      const trace = newTraceparent();
      const { status } = await api.post(
        '/metric_data',
        { ...total, metric: 'no-such-metric-7' },
        { traceparent: trace.header },
      );
      expect(status).to.equal(422);
      const spans = await collector.traceWith(trace.traceId, 'POST /metric_data');
      const compile = onlySpan(spans, 'compile');
      expect(compile.statusCode).to.equal(statusError);
      expect(compile.events).to.deep.equal([
        {
          name: 'exception',
          attributes: {
            'exception.type': 'VALIDATION_FAIL',
            'exception.message': 'Validation failed',
          },
        },
      ]);
      // A client error is not an error of the service.
      expect(onlySpan(spans, 'POST /metric_data').statusCode).to.equal(0);
    });

    it('have their trace id in the log lines of the request', async () => {
      const trace = newTraceparent();
      await api.post('/metric_data', total, { traceparent: trace.header });
      const line = () => service.logLines().find(({ traceId }) => traceId === trace.traceId);
      await waitUntil(() => line() !== undefined);
      expect(line()).to.include({ message: 'request', route: '/metric_data', status: 200 });
    });

    it('are sent with the configured headers, without tokens, bodies and values', () => {
      const everything = collector.texts.join('\n');
      expect(everything).to.include('"x-collector-key":"open-sesame"');
      expect(everything).to.match(/^\/v1\/traces /m);
      expect(everything).to.include('POST /metric_data');
      const secrets = [
        tenant.dataToken,
        tenant.dataToken.slice(4),
        tenant.name,
        'many.example.net',
        'no-such-metric-7',
        'SELECT',
      ];
      for (const secret of secrets) expect(everything).not.to.include(secret);
    });
  });

  it('show ClickHouse errors, and pass the trace context to ClickHouse', async () => {
    const proxy = await startRecordingProxy(stack.clickhouseUrl);
    const service = await startServiceProcess('query', {
      ...fastExport,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_SERVICE_NAME: 'panel-queries',
      CLICKHOUSE_URL: proxy.url,
      QUERY_TIMEOUT_MS: '1',
    });
    try {
      const trace = newTraceparent();
      const api = new DataApi(service.url, tenant.dataToken);
      const heavy = { ...total, aggregation: 'hourly', splits: ['agent'] };
      const { status } = await api.post('/metric_data', heavy, { traceparent: trace.header });
      expect(status).to.equal(504);
      const spans = await collector.traceWith(trace.traceId, 'POST /metric_data');
      const query = onlyQuerySpan(spans, 'metric_data');
      expect(query).to.include({ statusCode: statusError, service: 'panel-queries' });
      expect(query.attributes).to.include({ 'error.type': 'TIMEOUT_EXCEEDED' });
      const root = onlySpan(spans, 'POST /metric_data');
      expect(root.statusCode).to.equal(statusError);
      expect(root.attributes).to.include({
        'http.response.status_code': 504,
        'error.type': 'QUERY_TIMEOUT',
      });
      expect(spans.map(({ name }) => name)).not.to.include('stream');
      expect(proxy.traceparents).to.include(`00-${trace.traceId}-${query.spanId}-01`);
    } finally {
      await service.kill('SIGTERM');
      proxy.stop();
    }
  });

  it('show a metadata change down to the published snapshot', async () => {
    const stores = await isolatedStores();
    const service = await startServiceProcess('metadata', {
      ...fastExport,
      ...stores.env,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    });
    try {
      const { organisationId, metadataToken } = await newTenant(stores.database);
      await addAgent(stores.database, organisationId, { agentId: 'a', unitId: 1 });
      const client = metadataClient(service.url, metadataToken);
      const change = { agent: { unit_id: 1 }, metadata: { timezone: 'Asia/Tokyo' } };
      expect((await client.put(change)).status).to.equal(200);
      const put = () => collector.spans.find(({ name }) => name === 'PUT /metadata');
      await waitUntil(() => put() !== undefined);
      const root = put()!;
      const spans = await collector.traceWith(root.traceId, 'publish');
      expect(root).to.include({ parentSpanId: '', service: 'netpanel-metadata' });
      expect(onlySpan(spans, 'authenticate').parentSpanId).to.equal(root.spanId);
      expect(onlySpan(spans, 'database')).to.deep.include({
        parentSpanId: root.spanId,
        attributes: { 'db.system.name': 'postgresql', 'db.operation.name': 'change' },
      });
      const publish = onlySpan(spans, 'publish');
      expect(publish.parentSpanId).to.equal(root.spanId);
      const queries = spans.filter((one) => one.attributes['db.operation.name'] === 'snapshot');
      expect(queries).to.satisfy((all: ReceivedSpan[]) =>
        all.some(({ parentSpanId }) => parentSpanId === publish.spanId),
      );
      expect(collector.texts.join('\n')).not.to.include(metadataToken);
      expect(collector.texts.join('\n')).not.to.include('Asia/Tokyo');
    } finally {
      await service.kill('SIGTERM');
      await stores.close();
    }
  });

  it('cause only one log line when the collector is unreachable', async () => {
    const service = await startServiceProcess('query', {
      ...fastExport,
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
      OTEL_EXPORTER_OTLP_TIMEOUT: '300',
    });
    const api = new DataApi(service.url, tenant.dataToken);
    const warnings = () =>
      service
        .logLines()
        .filter(({ message }) => String(message).startsWith('could not send traces'));
    for (let i = 0; i < 3; i++) {
      expect((await api.post('/metric_data', total)).status).to.equal(200);
    }
    await waitUntil(() => warnings().length > 0);
    expect((await api.post('/metric_data', total)).status).to.equal(200);
    await service.kill('SIGTERM');
    expect(warnings()).to.have.length(1);
    expect(service.logLines().at(-1)).to.include({ message: 'stopped' });
  });

  it('are all sent during a shutdown', async () => {
    const service = await startServiceProcess('query', {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      // No scheduled export for an hour.
      OTEL_BSP_SCHEDULE_DELAY: '3600000',
    });
    const trace = newTraceparent();
    const api = new DataApi(service.url, tenant.dataToken);
    await api.post('/metric_data', total, { traceparent: trace.header });
    await service.kill('SIGTERM');
    expect(collector.spans.filter(({ traceId }) => traceId === trace.traceId)).to.satisfy(
      (spans: ReceivedSpan[]) => spans.some(({ name }) => name === 'POST /metric_data'),
    );
  });

  it('are off by default: nothing is sent, and the log has no trace id', async () => {
    const before = collector.texts.length;
    const service = await startServiceProcess('query', { ...fastExport });
    const api = new DataApi(service.url, tenant.dataToken);
    await api.post('/metric_data', total, { traceparent: newTraceparent().header });
    await service.kill('SIGTERM');
    expect(collector.texts).to.have.length(before);
    const line = service.logLines().find(({ message }) => message === 'request');
    expect(line).to.include({ route: '/metric_data' }).and.not.to.have.property('traceId');
  });
});
