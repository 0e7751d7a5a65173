import { expect } from 'chai';
import { newToken } from '../../services/registry/token.ts';
import { newTenantToken } from '../support/tenant.ts';
import { type Operation, operations, type ServiceName } from './contract.ts';
import { sampleRequest } from './sample-request.ts';
import { authorization, send, type Sent } from './send.ts';
import { ownMetricRequest, setStage, type Stage, tokenOf } from './stage.ts';
import { watchedProcess, type WatchedProcess } from './watched-process.ts';

const json = { 'content-type': 'application/json' };

for (const service of ['query', 'metadata'] as const) {
  describe(`a token that is sent to the ${service} service, in the right place or a wrong one`, function () {
    this.timeout(300_000);
    let stage: Stage;
    let running: WatchedProcess;
    let tokens: readonly string[];
    const answers: string[] = [];
    /** By where a token could have got to. */
    const told = new Map<string, string>();

    before(async () => {
      stage = await setStage();
      running = await watchedProcess(service);
      tokens = await everyKindOfToken(stage, service);
      for (const token of tokens) {
        for (const request of requestsWith(token, service, stage)) {
          const { status, text } = await send(running.url, request);
          if (status >= 400) answers.push(text);
        }
      }
      told.set('the figures', await (await fetch(`${running.opsUrl}/metrics`)).text());
      told.set('the readiness', await (await fetch(`${running.opsUrl}/readyz`)).text());
      await running.stop();
      told.set('the log', running.output());
      told.set('the traces', running.traces());
      told.set('the errors', answers.join('\n'));
      told.set('the audit', await auditOf(stage));
    });

    it('had something to be found in', () => {
      expect(running.output().split('\n').length).to.be.greaterThan(tokens.length * 10);
      expect(running.output()).to.include('"level":"debug"');
      expect(running.output()).to.include(`"organisation":"${stage.owner.name}"`);
      expect(answers.length).to.be.greaterThan(tokens.length * 10);
      expect(told.get('the traces')).to.include('authenticate');
      if (service === 'query') expect(told.get('the audit')).to.include('POST /metric_data');
    });

    for (const where of [
      'the figures',
      'the readiness',
      'the log',
      'the traces',
      'the errors',
      'the audit',
    ]) {
      it(`is not in ${where}, plain, packed in base64 or as an address has it`, () => {
        const text = told.get(where) ?? '';
        for (const form of tokens.flatMap(formsOf)) {
          const at = text.indexOf(form);
          expect(at === -1 ? '' : text.slice(Math.max(0, at - 200), at + 80)).to.equal('');
        }
      });
    }

    it('nor is the signature of a link in the log', () => {
      for (const link of [stage.csvLink, stage.objectLink]) {
        const signature = new URLSearchParams(link.split('?')[1]).get('signature') ?? '';
        expect(signature).to.have.length(43);
        expect(running.output()).not.to.include(signature);
      }
    });
  });
}

async function everyKindOfToken({ stack, owner }: Stage, service: ServiceName) {
  const own = service === 'query' ? 'data' : 'metadata';
  const past = new Date(Date.now() - 1_000);
  const spent = (times: { expires_at?: Date; revoked_at?: Date }) =>
    newTenantToken(stack.database, owner.organisationId, own, times);
  return [
    ...[tokenOf(owner, 'query'), tokenOf(owner, 'metadata'), newToken(own)],
    ...[await spent({ expires_at: past }), await spent({ revoked_at: past })],
  ];
}

/** Requests of all kinds, most of which fail, that carry a token somewhere. */
function requestsWith(token: string, service: ServiceName, stage: Stage): Sent[] {
  const good = authorization(service, tokenOf(stage.owner, service));
  const withToken = (headers: Sent['headers'] = {}) => ({ authorization: good, ...headers });
  const own = operations.filter((operation) => operation.service === service);
  const path = service === 'query' ? '/metric_data' : '/metadata';
  const method = service === 'query' ? 'POST' : 'PUT';
  const misplaced = [token, `custom.${token}`, `Bearer ${token}`].flatMap((text) => [
    { metric: text, splits: [text], filters: [{ id: text, filterType: text, filterValues: [] }] },
    { agent: { [text]: text, package: text }, metadata: { timezone: text, custom: { 1: text } } },
    { ...ownMetricRequest, filters: [{ id: 'isp', filterType: 1, filterValues: [text] }] },
    { [text]: 1, authorization: text },
  ]);
  return [
    ...own.filter(isHarmless).map((operation) => {
      const request = sampleRequest(operation, stage);
      return {
        ...request,
        headers: { ...request.headers, authorization: authorization(service, token) },
      };
    }),
    ...misplaced.map((body) => ({
      ...{ method, path, headers: withToken(json), body: JSON.stringify(body) },
    })),
    ...[token, `{"a": ${token}`].map((body) => ({ method, path, headers: withToken(json), body })),
    { method, path, headers: withToken({ 'content-type': `text/${token}` }), body: token },
    { method, path, headers: withToken({ ...json, 'x-request-id': token }), body: '{}' },
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
    // The header twice; Node takes the first, a proxy may take the last.
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

/** What both services keep of who asked what. */
async function auditOf({ stack, owner }: Stage): Promise<string> {
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
