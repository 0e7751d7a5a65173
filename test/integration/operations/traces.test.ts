import { expect } from 'chai';
import { DataApi } from '../../support/data-api.ts';
import { addManyDownloads } from '../../support/downloads.ts';
import { freePort } from '../../support/free-port.ts';
import { localStack, type LocalStack } from '../../support/local-stack.ts';
import { metadataClient } from '../../support/metadata-client.ts';
import {
  type OtlpReceiver,
  type ReceivedSpan,
  startOtlpReceiver,
} from '../../support/otlp-receiver.ts';
import { ownStores } from '../../support/own-stores.ts';
import { type ServiceProcess, startServiceProcess } from '../../support/service-process.ts';
import { askedFor, newTraceparent, only } from '../../support/spans.ts';
import { addAgent, newTenant, type Tenant } from '../../support/tenant.ts';
import { until } from '../../support/until.ts';
import { watchedRoad } from '../../support/watched-road.ts';

const rowCount = 60_000;
const total = {
  metric: 'httpget',
  chartType: 'aggregate',
  aggregation: 'total',
  normalised: false,
  prefilter: false,
  time: { from: '2026-01-01 00:00', to: '2026-01-31 23:59' },
  filters: [{ id: 'target', filterType: 'include', filterValues: ['many.example.net'] }],
};
const raw = { ...total, chartType: 'raw', aggregation: undefined };
const quickly = { OTEL_BSP_SCHEDULE_DELAY: '100' };
/** Of OTLP. */
const kinds = { internal: 1, server: 2, client: 3 };
const statusError = 2;
/** A span begins at a whole millisecond and its length is exact, so two ends may be off by that. */
const clockStepNs = 2_000_000n;

describe('traces', function () {
  this.timeout(180_000);
  let stack: LocalStack;
  let tenant: Tenant;
  let collector: OtlpReceiver;

  before(async () => {
    stack = await localStack();
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
        ...quickly,
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=open-sesame',
      });
      api = new DataApi(service.url, tenant.dataToken);
    });
    after(() => service.kill('SIGTERM'));

    it('show one request as one tree: authenticated, compiled, asked, streamed', async () => {
      const caller = newTraceparent();
      const { status } = await api.post('/metric_data', total, { traceparent: caller.header });
      expect(status).to.equal(200);
      const spans = await collector.traceWith(caller.traceId, 'POST /metric_data');

      const root = only(spans, 'POST /metric_data');
      expect(root).to.include({
        parentSpanId: caller.spanId,
        kind: kinds.server,
        service: 'netpanel-query',
      });
      expect(root.attributes).to.include({
        'http.request.method': 'POST',
        'http.route': '/metric_data',
        'http.response.status_code': 200,
      });
      for (const name of ['authenticate', 'compile', 'stream']) {
        expect(only(spans, name)).to.include({ parentSpanId: root.spanId, kind: kinds.internal });
      }
      const question = askedFor(spans, 'metric_data');
      expect(question).to.include({ parentSpanId: root.spanId, kind: kinds.client });
      expect(question.attributes).to.include({ 'db.system.name': 'clickhouse' });
      // More when marks hold results of other organisations as well.
      expect(question.attributes['netpanel.rows_read']).to.be.at.least(rowCount);
      expect(spans.filter(({ spanId }) => spanId !== root.spanId)).to.satisfy(
        (others: ReceivedSpan[]) =>
          others.every(
            (one) => root.startNs <= one.startNs && one.endNs <= root.endNs + clockStepNs,
          ),
      );
      const inOrder = ['authenticate', 'compile', 'stream'].map(
        (name) => only(spans, name).startNs,
      );
      expect(inOrder).to.deep.equal([...inOrder].sort((a, b) => (a < b ? -1 : 1)));
      expect(only(spans, 'compile').startNs < question.startNs).to.be.true;
    });

    it('show a raw answer as a stream that ends with its last byte', async () => {
      const caller = newTraceparent();
      await api.post('/metric_data', raw, { traceparent: caller.header });
      const spans = await collector.traceWith(caller.traceId, 'POST /metric_data');
      const stream = only(spans, 'stream');
      const question = askedFor(spans, 'metric_data');
      expect(stream.startNs > question.startNs).to.be.true;
      expect(stream.endNs + clockStepNs >= question.endNs).to.be.true;
      expect(stream.endNs <= only(spans, 'POST /metric_data').endNs + clockStepNs).to.be.true;
    });

    it('show an export, its questions and its file below the request', async () => {
      const caller = newTraceparent();
      await api.post('/metric_data.csv', total, { traceparent: caller.header });
      const spans = await collector.traceWith(caller.traceId, 'POST /metric_data.csv');
      const made = only(spans, 'export');
      expect(made.parentSpanId).to.equal(only(spans, 'POST /metric_data.csv').spanId);
      expect(only(spans, 'store').parentSpanId).to.equal(made.spanId);
      const asked = spans.filter((one) => one.attributes['db.operation.name'] === 'export');
      expect(asked.map(({ parentSpanId }) => parentSpanId)).to.include(made.spanId);
    });

    it('tell where a request failed, and not what was in it', async () => {
      const caller = newTraceparent();
      const { status } = await api.post(
        '/metric_data',
        { ...total, metric: 'no-such-metric-7' },
        { traceparent: caller.header },
      );
      expect(status).to.equal(422);
      const spans = await collector.traceWith(caller.traceId, 'POST /metric_data');
      const compile = only(spans, 'compile');
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
      // The caller's fault is no error of the service.
      expect(only(spans, 'POST /metric_data').statusCode).to.equal(0);
    });

    it('are named in the log lines of their request', async () => {
      const caller = newTraceparent();
      await api.post('/metric_data', total, { traceparent: caller.header });
      const line = () => service.logLines().find(({ traceId }) => traceId === caller.traceId);
      await until(() => Promise.resolve(line() !== undefined));
      expect(line()).to.include({ message: 'request', path: '/metric_data', status: 200 });
    });

    it('go to the collector with its headers, and without tokens, bodies and values', () => {
      const everything = collector.texts.join('\n');
      expect(everything).to.include('"x-collector-key":"open-sesame"');
      expect(everything).to.match(/^\/v1\/traces /m);
      expect(everything).to.include('POST /metric_data');
      const secrets = [
        ...[tenant.dataToken, tenant.dataToken.slice(4), tenant.name],
        ...['many.example.net', 'no-such-metric-7', 'SELECT'],
      ];
      for (const secret of secrets) expect(everything).not.to.include(secret);
    });
  });

  it('tell that ClickHouse failed, and give it the trace', async () => {
    const road = await watchedRoad(stack.clickhouseUrl);
    const service = await startServiceProcess('query', {
      ...quickly,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_SERVICE_NAME: 'panel-queries',
      CLICKHOUSE_URL: road.url,
      QUERY_TIMEOUT_MS: '1',
    });
    try {
      const caller = newTraceparent();
      const api = new DataApi(service.url, tenant.dataToken);
      const heavy = { ...total, aggregation: 'hourly', splits: ['agent'] };
      const { status } = await api.post('/metric_data', heavy, { traceparent: caller.header });
      expect(status).to.equal(504);
      const spans = await collector.traceWith(caller.traceId, 'POST /metric_data');
      const question = askedFor(spans, 'metric_data');
      expect(question).to.include({ statusCode: statusError, service: 'panel-queries' });
      expect(question.attributes).to.include({ 'error.type': 'TIMEOUT_EXCEEDED' });
      const root = only(spans, 'POST /metric_data');
      expect(root.statusCode).to.equal(statusError);
      expect(root.attributes).to.include({
        'http.response.status_code': 504,
        'error.type': 'QUERY_TIMEOUT',
      });
      expect(spans.map(({ name }) => name)).not.to.include('stream');
      expect(road.traceparents).to.include(`00-${caller.traceId}-${question.spanId}-01`);
    } finally {
      await service.kill('SIGTERM');
      road.stop();
    }
  });

  it('show a change of metadata down to the snapshot that brings it to queries', async () => {
    const stores = await ownStores();
    const service = await startServiceProcess('metadata', {
      ...quickly,
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
      await until(() => Promise.resolve(put() !== undefined));
      const root = put()!;
      const spans = await collector.traceWith(root.traceId, 'publish');
      expect(root).to.include({ parentSpanId: '', service: 'netpanel-metadata' });
      expect(only(spans, 'authenticate').parentSpanId).to.equal(root.spanId);
      expect(only(spans, 'database')).to.deep.include({
        parentSpanId: root.spanId,
        attributes: { 'db.system.name': 'postgresql', 'db.operation.name': 'change' },
      });
      const publish = only(spans, 'publish');
      expect(publish.parentSpanId).to.equal(root.spanId);
      const asked = spans.filter((one) => one.attributes['db.operation.name'] === 'snapshot');
      expect(asked).to.satisfy((all: ReceivedSpan[]) =>
        all.some(({ parentSpanId }) => parentSpanId === publish.spanId),
      );
      expect(collector.texts.join('\n')).not.to.include(metadataToken);
      expect(collector.texts.join('\n')).not.to.include('Asia/Tokyo');
    } finally {
      await service.kill('SIGTERM');
      await stores.close();
    }
  });

  it('cost nothing but one line of the log when the collector is away', async () => {
    const service = await startServiceProcess('query', {
      ...quickly,
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
    await until(() => Promise.resolve(warnings().length > 0));
    expect((await api.post('/metric_data', total)).status).to.equal(200);
    await service.kill('SIGTERM');
    expect(warnings()).to.have.length(1);
    expect(service.logLines().at(-1)).to.include({ message: 'stopped' });
  });

  it('are all sent by a service that is stopped', async () => {
    const service = await startServiceProcess('query', {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      // Nothing would go by itself for an hour.
      OTEL_BSP_SCHEDULE_DELAY: '3600000',
    });
    const caller = newTraceparent();
    const api = new DataApi(service.url, tenant.dataToken);
    await api.post('/metric_data', total, { traceparent: caller.header });
    await service.kill('SIGTERM');
    expect(collector.spans.filter(({ traceId }) => traceId === caller.traceId)).to.satisfy(
      (spans: ReceivedSpan[]) => spans.some(({ name }) => name === 'POST /metric_data'),
    );
  });

  it('are not made where nobody asks for them: nothing is sent, or named in the log', async () => {
    const before = collector.texts.length;
    const service = await startServiceProcess('query', { ...quickly });
    const api = new DataApi(service.url, tenant.dataToken);
    await api.post('/metric_data', total, { traceparent: newTraceparent().header });
    await service.kill('SIGTERM');
    expect(collector.texts).to.have.length(before);
    const line = service.logLines().find(({ message }) => message === 'request');
    expect(line).to.include({ path: '/metric_data' }).and.not.to.have.property('traceId');
  });
});
