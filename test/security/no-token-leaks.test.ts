import { expect } from 'chai';
import { newToken } from '../../services/registry/tokens/token.ts';
import { newTenantToken } from '../support/tenant.ts';
import { type Operation, operations, type ServiceName, serviceNames } from './contract.ts';
import { sampleRequest } from './sample-request.ts';
import { authorization, send, type RawRequest } from './send.ts';
import {
  createFixture,
  type Fixture,
  interfaceOf,
  ownMetricRequest,
  tokenOf,
} from './security-fixture.ts';
import { startOtlpReceiver } from '../support/otlp-receiver.ts';
import { startServiceProcess } from '../support/service-process.ts';

const json = { 'content-type': 'application/json' };

for (const service of serviceNames) {
  describe(`a token sent to the ${service} service anywhere in a request`, () => {
    let fixture: Fixture;
    let log: string;
    let tokens: readonly string[];
    const errors: string[] = [];
    /** Everything the service has written, by place. */
    const outputs = new Map<string, string>();

    before(async () => {
      fixture = await createFixture();
      const collector = await startOtlpReceiver();
      const running = await startServiceProcess(service, {
        LOG_LEVEL: 'debug',
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      });
      tokens = await everyKindOfToken(fixture, service);
      for (const token of tokens) {
        for (const request of requestsWith(token, service, fixture)) {
          const { status, text } = await send(running.url, request);
          if (status >= 400) errors.push(text);
        }
      }
      outputs.set('the metrics', await (await fetch(`${running.opsUrl}/metrics`)).text());
      outputs.set('the readiness response', await (await fetch(`${running.opsUrl}/readyz`)).text());
      await running.kill('SIGTERM');
      await collector.stop();
      log = running.log();
      outputs.set('the log', log);
      outputs.set('the traces', collector.texts.join('\n'));
      outputs.set('the error responses', errors.join('\n'));
      outputs.set('the audit table', await auditOf(fixture));
    });

    it('produces log lines, errors, traces and audit rows', () => {
      expect(log.split('\n').length).to.be.greaterThan(tokens.length * 10);
      expect(log).to.include('"level":"debug"');
      expect(log).to.include(`"organisation":"${fixture.owner.name}"`);
      expect(errors.length).to.be.greaterThan(tokens.length * 10);
      expect(outputs.get('the traces')).to.include('authenticate');
      if (service === 'query')
        expect(outputs.get('the audit table')).to.include('POST /metric_data');
    });

    for (const where of [
      'the metrics',
      'the readiness response',
      'the log',
      'the traces',
      'the error responses',
      'the audit table',
    ]) {
      it(`is not in ${where}, neither plain nor as base64, hex or URL encoding`, () => {
        const text = outputs.get(where) ?? '';
        for (const form of tokens.flatMap(formsOf)) {
          const at = text.indexOf(form);
          expect(at === -1 ? '' : text.slice(Math.max(0, at - 200), at + 80)).to.equal('');
        }
      });
    }

    it('is not in the log, nor is the signature of a link', () => {
      for (const link of [fixture.csvLink, fixture.objectLink]) {
        const signature = new URLSearchParams(link.split('?')[1]).get('signature') ?? '';
        expect(signature).to.have.length(43);
        expect(log).not.to.include(signature);
      }
    });
  });
}

async function everyKindOfToken({ stack, owner }: Fixture, service: ServiceName) {
  const own = interfaceOf(service);
  const past = new Date(Date.now() - 1_000);
  const invalidated = (times: { expires_at?: Date; revoked_at?: Date }) =>
    newTenantToken(stack.database, owner.organisationId, own, times);
  return [
    tokenOf(owner, 'query'),
    tokenOf(owner, 'metadata'),
    newToken(own),
    await invalidated({ expires_at: past }),
    await invalidated({ revoked_at: past }),
  ];
}

/** Requests of all kinds that carry a token somewhere. Most of them fail. */
function requestsWith(token: string, service: ServiceName, fixture: Fixture): RawRequest[] {
  const good = authorization(service, tokenOf(fixture.owner, service));
  const withToken = (headers: RawRequest['headers'] = {}) => ({ authorization: good, ...headers });
  const own = operations.filter((operation) => operation.service === service);
  const { method, path } = bodyRoutes[service];
  const misplaced = [token, `custom.${token}`, `Bearer ${token}`].flatMap((text) => [
    { metric: text, splits: [text], filters: [{ id: text, filterType: text, filterValues: [] }] },
    { agent: { [text]: text, package: text }, metadata: { timezone: text, custom: { 1: text } } },
    { ...ownMetricRequest, filters: [{ id: 'isp', filterType: 1, filterValues: [text] }] },
    { [text]: 1, authorization: text },
    [{ unit_id: text, dtime: text, target: text, [text]: text }],
  ]);
  return [
    ...own.filter(isHarmless).map((operation) => {
      const request = sampleRequest(operation, fixture);
      return {
        ...request,
        headers: { ...request.headers, authorization: authorization(service, token) },
      };
    }),
    ...[...misplaced.map((body) => JSON.stringify(body)), token, `{"a": ${token}`].map((body) => ({
      method,
      path,
      headers: withToken(json),
      body,
    })),
    { method, path, headers: withToken({ 'content-type': `text/${token}` }), body: token },
    { method, path, headers: withToken({ ...json, 'x-request-id': token }), body: '{}' },
    { method, path, headers: withToken({ ...json, 'idempotency-key': token }), body: '[]' },
    {
      method,
      path,
      headers: withToken({ 'content-type': 'text/csv' }),
      body: `${token}\n${token}`,
    },
    { method: 'POST', path: '/lmap/reports', headers: withToken(json), body: `{"${token}": 1}` },
    { method: 'POST', path: `/results/${token}`, headers: withToken(json), body: '[]' },
    {
      method,
      path,
      headers: withToken({ ...json, 'x-request-id': `a.${token}` }),
      body: JSON.stringify(ownMetricRequest),
    },
    ...[
      `/${token}`,
      `/filters/${token}/values`,
      `/metadata/agent/${token}`,
      `/exports/${token}`,
      `/metadata/unit/${token}`,
    ]
      .flatMap((one) => [one, `${one}?token=${token}`, `/tests?agents=${token}&${token}=1`])
      .map((one) => ({ method: 'GET', path: one, headers: withToken() })),
    ...[
      `/csv/${token}?expires=1&signature=${token}`,
      `/objects/${token}?expires=1&signature=${token}`,
    ].map((one) => ({ method: 'GET', path: one })),
    ...[
      `Basic ${Buffer.from(`${token}:`).toString('base64')}`,
      `Bearer ${token} ${token}`,
      `Token ${token}`,
    ].map((header) => ({ method: 'GET', path: '/metrics', headers: { authorization: header } })),
    // The header twice: Node takes the first, a proxy may take the last.
    { method: 'GET', path: '/metrics', headers: { authorization: [good, token] } },
    {
      method: 'GET',
      path: '/metrics',
      headers: withToken({ cookie: token, referer: token, 'user-agent': token }),
    },
    {
      method: 'GET',
      path: '/response-internal-server-error',
      headers: withToken({ 'x-token': token }),
    },
  ];
}

/** A route of each service that takes a body. */
const bodyRoutes: Readonly<Record<ServiceName, { method: string; path: string }>> = {
  query: { method: 'POST', path: '/metric_data' },
  metadata: { method: 'PUT', path: '/metadata' },
  ingest: { method: 'POST', path: '/results/jitter' },
};

function isHarmless({ method }: Operation): boolean {
  return method !== 'DELETE';
}

function formsOf(token: string): string[] {
  const secret = token.slice('npd_'.length);
  const hex = token.replaceAll(/./g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
  return [
    secret,
    Buffer.from(token).toString('base64url'),
    Buffer.from(`Bearer ${token}`).toString('base64').replace(/=+$/, ''),
    Buffer.from(token).toString('hex'),
    hex,
    hex.toUpperCase(),
  ];
}

/** The audit records of the services. */
async function auditOf({ stack, owner }: Fixture): Promise<string> {
  const result = await stack.clickhouse.query({
    query: 'SELECT * FROM query_audit WHERE organisation_id = {id:UInt32}',
    query_params: { id: owner.organisationId },
    format: 'JSONEachRow',
  });
  const calls = await stack
    .database('api_call_counts')
    .where({ organisation_id: owner.organisationId })
    .select<object[]>('route', 'status');
  return JSON.stringify([...(await result.json()), ...calls]);
}
