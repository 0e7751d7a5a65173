import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { newToken } from '../../../services/registry/tokens/token.ts';
import { DataApi, type DataResponse } from '../../support/data-api.ts';
import { localStack, type LocalStack } from '../../support/local-stack.ts';
import { type QueryService, startQueryService } from '../../support/query-service.ts';
import { startServiceProcess } from '../../support/service-process.ts';
import { newTenant, newTenantToken, type Tenant } from '../../support/tenant.ts';

const explained = {
  metric: 'httpget',
  chartType: 'raw',
  normalised: false,
  prefilter: false,
  time: { from: '2026-01-01 00:00', to: '2026-01-02 23:59' },
};

describe('the rate limits', () => {
  let stack: LocalStack;
  let tenant: Tenant;

  before(async () => {
    stack = await localStack();
    tenant = await newTenant(stack.database);
  });

  it('429: too many requests from an address, but not with a valid token', () =>
    withService({ RATE_LIMIT_ADDRESS_PER_MINUTE: '3' }, async ({ url }) => {
      const api = new DataApi(url, tenant.dataToken);
      const first = await api.get('/metrics');
      expect(first.status).to.equal(200);
      expect(first.headers.get('ratelimit')).to.match(/^"address"; r=2; t=\d+$/);
      expect((await fetch(`${url}/docs`)).status).to.equal(200);
      expect((await fetch(`${url}/openapi.yaml`)).status).to.equal(200);
      for (const path of [
        '/docs',
        '/openapi.yaml',
        '/explorer',
        '/csv/x',
        '/objects/x',
        '/metrics',
      ]) {
        expect((await fetch(`${url}${path}`)).status, path).to.equal(429);
      }
      expectLimited(await new DataApi(url, newToken('data')).get('/metrics'), 'address', 3);
      expect((await api.get('/metrics')).status).to.equal(200);
    }));

  it('429: too many invalid tokens from an address, but not with a valid token', () =>
    withService({ RATE_LIMIT_FAILURES_PER_MINUTE: '3' }, async ({ url }) => {
      const api = new DataApi(url, tenant.dataToken);
      expect((await api.get('/metrics')).status).to.equal(200);
      const invalid: DataResponse[] = [];
      for (let i = 0; i < 5; i++) {
        invalid.push(await new DataApi(url, newToken('data')).get('/metrics'));
      }
      expect(invalid[0]!.status).to.equal(403);
      expectLimited(invalid[4]!, 'failures', 3);
      expect((await fetch(`${url}/docs`)).status).to.equal(200);
      expect((await api.get('/metrics')).status).to.equal(200);
    }));

  it('429: too many requests with a token, whose listings and other tokens go on', () =>
    withService({ RATE_LIMIT_TOKEN_PER_MINUTE: '2' }, async ({ url }) => {
      const api = new DataApi(url, tenant.dataToken);
      const second = newTenantToken(stack.database, tenant.organisationId, 'data');
      for (const left of [1, 0]) {
        const { status, headers } = await api.post('/metric_data/explain', explained);
        expect(status).to.equal(200);
        expect(headers.get('ratelimit')).to.match(new RegExp(`^"token"; r=${left}; t=\\d+$`));
        expect(headers.get('ratelimit-policy')).to.match(/^"token"; q=2; w=60/);
      }
      expectLimited(await api.post('/metric_data/explain', explained), 'token', 2);
      expect((await api.get('/metrics')).status).to.equal(200);
      const other = new DataApi(url, await second);
      expect((await other.post('/metric_data/explain', explained)).status).to.equal(200);
    }));

  it('429: too many listings with a token, whose queries go on', () =>
    withService({ RATE_LIMIT_LISTINGS_PER_MINUTE: '2' }, async ({ url }) => {
      const api = new DataApi(url, tenant.dataToken);
      for (const path of ['/metrics', '/filters/isp/values']) {
        expect((await api.get(path)).status).to.equal(200);
      }
      expectLimited(await api.get('/tests'), 'listings', 2);
      expect((await api.post('/metric_data/explain', explained)).status).to.equal(200);
    }));

  it('429: more listings at once than an organisation may run, while another one goes on', () =>
    withService({ MAX_RUNNING_LISTINGS: '1' }, async ({ url }) => {
      const api = new DataApi(url, tenant.dataToken);
      const other = new DataApi(url, (await newTenant(stack.database)).dataToken);
      const lock = await stack.database.transaction();
      const listings: Promise<DataResponse>[] = [];
      try {
        await lock.raw('lock table exports in access exclusive mode');
        listings.push(...[1, 2].map(() => api.get(`/exports/${randomUUID()}`)));
        const refused = await Promise.race(listings);
        expect(refused.status).to.equal(429);
        expect(refused.body.message).to.include('already has 1 running listings');
        expect(refused.headers.get('retry-after')).to.equal('1');
        expect((await other.get('/metrics')).status).to.equal(200);
      } finally {
        await lock.rollback();
      }
      const statuses = (await Promise.all(listings)).map(({ status }) => status);
      expect(statuses).to.have.members([404, 429]);
    }));

  it('count an address of IPv4 and a /56 of IPv6 behind a trusted proxy', () =>
    withService(
      { RATE_LIMIT_ADDRESS_PER_MINUTE: '1', TRUST_PROXY: 'loopback' },
      async ({ url }) => {
        const statusFrom = async (address: string) => {
          const headers = { 'x-forwarded-for': address };
          return (await fetch(`${url}/docs`, { headers })).status;
        };
        expect(await statusFrom('192.0.2.1')).to.equal(200);
        expect(await statusFrom('192.0.2.1')).to.equal(429);
        expect(await statusFrom('192.0.2.2')).to.equal(200);
        // The client writes what it likes before the address that the proxy appends.
        expect(await statusFrom('198.51.100.7, 192.0.2.2')).to.equal(429);
        expect(await statusFrom('2001:db8:0:100::1')).to.equal(200);
        expect(await statusFrom('2001:db8:0:1ff::2')).to.equal(429);
        expect(await statusFrom('2001:db8:0:200::1')).to.equal(200);
      },
    ));

  it('ignore X-Forwarded-For of others', () =>
    withService({ RATE_LIMIT_ADDRESS_PER_MINUTE: '1' }, async ({ url }) => {
      const headers = (address: string) => ({ headers: { 'x-forwarded-for': address } });
      expect((await fetch(`${url}/docs`, headers('192.0.2.1'))).status).to.equal(200);
      expect((await fetch(`${url}/docs`, headers('192.0.2.2'))).status).to.equal(429);
    }));

  it('are the same in the metadata service, and readable by a browser', async () => {
    const origin = 'https://explorer.example';
    const service = await startServiceProcess('metadata', {
      RATE_LIMIT_LISTINGS_PER_MINUTE: '1',
      RATE_LIMIT_FAILURES_PER_MINUTE: '2',
      CORS_ORIGINS: origin,
    });
    try {
      const get = (token: string) =>
        fetch(`${service.url}/metadata/unit/1`, {
          headers: { authorization: `Bearer ${token}`, origin },
        });
      expect((await get(tenant.metadataToken)).status).to.equal(404);
      const limited = await get(tenant.metadataToken);
      expect(limited.status).to.equal(429);
      expect(limited.headers.get('access-control-allow-origin')).to.equal(origin);
      expect(limited.headers.get('access-control-expose-headers')).to.include('Retry-After');
      const statuses: number[] = [];
      for (let i = 0; i < 4; i++) statuses.push((await get(newToken('metadata'))).status);
      expect(statuses[0]).to.equal(403);
      expect(statuses[3]).to.equal(429);
      const metrics = await (await fetch(`${service.opsUrl}/metrics`)).text();
      expect(metrics).to.match(/netpanel_rate_limited_total\{policy="listings"[^}]*\} 1/);
    } finally {
      await service.kill('SIGTERM');
    }
  });
});

async function withService(
  settings: Record<string, string>,
  test: (service: QueryService) => Promise<void>,
): Promise<void> {
  const service = await startQueryService(settings);
  try {
    await test(service);
  } finally {
    await service.stop();
  }
}

function expectLimited({ status, headers, body }: DataResponse, policy: string, limit: number) {
  expect(status).to.equal(429);
  expect(body).to.include({ code: 'RATE_LIMITED' });
  expect(body.message).to.include(`The limit is ${limit} `);
  expect(Number(headers.get('retry-after'))).to.be.within(1, 60);
  expect(headers.get('ratelimit')).to.include(`"${policy}"; r=0`);
}
