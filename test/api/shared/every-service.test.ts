import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import request from 'supertest';
import { productVersion } from '../../../services/shared/product-version.ts';
import { type LocalStack, localStack } from '../../support/local-stack.ts';
import { newTenant, newTenantToken, type Tenant } from '../../support/tenant.ts';
import { waitUntil } from '../../support/wait-until.ts';

for (const service of ['query', 'metadata'] as const) {
  describe(`the ${service} service`, () => {
    let stack: LocalStack;
    let tenant: Tenant;
    let url: string;
    let opsUrl: string;
    const ownInterface = service === 'query' ? 'data' : 'metadata';

    before(async () => {
      stack = await localStack();
      tenant = await newTenant(stack.database);
      url = service === 'query' ? stack.queryUrl : stack.metadataUrl;
      opsUrl = service === 'query' ? stack.queryOpsUrl : stack.metadataOpsUrl;
    });

    const denied = { code: 'ACCESS_DENIED', message: 'Access Denied' };

    it('rejects a request without a token', async () => {
      const response = await request(url).get('/anything');
      expect(response.status).to.equal(403);
      expect(response.body).to.deep.equal(denied);
    });

    it('rejects a token soon after it was revoked', async () => {
      const { database } = stack;
      const token = await newTenantToken(database, tenant.organisationId, ownInterface);
      expect((await get('/nowhere', token)).status).to.equal(404);
      await database('api_tokens')
        .where({ organisation_id: tenant.organisationId, interface: ownInterface })
        .update({ revoked_at: new Date() });
      await waitUntil(async () => (await get('/nowhere', token)).status === 403);
      tenant = await newTenant(database);
    });

    it('returns the error envelope for an unknown path', async () => {
      const response = await get('/nowhere');
      expect(response.status).to.equal(404);
      expect(response.body).to.deep.equal({ code: 'NOT_FOUND', message: 'Not found' });
    });

    it('returns the error envelope for a path with invalid encoding', async () => {
      const response = await get('/%ff');
      expect(response.status).to.equal(404);
      expect(response.body).to.include({ code: 'NOT_FOUND' });
    });

    it("sets a request id on every response, the client's if it sent a valid one", async () => {
      expect((await get('/nowhere')).headers['x-request-id']).to.match(/^[0-9a-f-]{36}$/);
      const own = await get('/nowhere').set('X-Request-Id', 'my-id.7');
      expect(own.headers['x-request-id']).to.equal('my-id.7');
      const hostile = await get('/nowhere').set('X-Request-Id', "'; DROP TABLE x");
      expect(hostile.headers['x-request-id']).to.match(/^[0-9a-f-]{36}$/);
    });

    it('serves its OpenAPI document without a token', async () => {
      const response = await request(url).get('/openapi.yaml');
      expect(response.status).to.equal(200);
      expect(response.text).to.match(/^openapi: 3/);
    });

    it('serves its documentation without a token, under a strict content security policy', async () => {
      const response = await request(url).get('/docs');
      expect(response.status).to.equal(200);
      expect(response.headers['content-type']).to.equal('text/html; charset=utf-8');
      const policy = response.headers['content-security-policy']!.split('; ');
      expect(policy).to.include.members([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "frame-ancestors 'none'",
      ]);
      expect(response.text).to.not.match(/https?:|<script>| on[a-z]+=/);
    });

    it('compresses the files of a page and revalidates cached ones with an ETag', async () => {
      const path = '/docs/swagger-ui-bundle.js';
      const first = await request(url).get(path).set('Accept-Encoding', 'gzip');
      expect(first.headers).to.include({ 'content-encoding': 'gzip', 'cache-control': 'no-cache' });
      const plain = await request(url).get(path).set('Accept-Encoding', 'identity');
      expect(plain.headers).to.not.have.property('content-encoding');
      expect(plain.text).to.equal(first.text);
      const again = await request(url).get(path).set('If-None-Match', first.headers.etag!);
      expect(again.status).to.equal(304);
      expect(again.text).to.equal('');
    });

    it('serves only the files of its pages', async () => {
      for (const path of [
        '/docs/package.json',
        '/docs/..%2fquery.yaml',
        '/docs/swagger-ui.css.map',
      ]) {
        expect((await request(url).get(path)).status, path).to.equal(403);
      }
    });

    it('reports health, version and readiness on the ops port only', async () => {
      expect((await request(opsUrl).get('/healthz')).body).to.deep.equal({ status: 'ok' });
      const stated = { version: productVersion() };
      expect((await request(opsUrl).get('/version')).body).to.deep.equal(stated);
      const ready = await request(opsUrl).get('/readyz');
      expect(ready.status).to.equal(200);
      expect(ready.body).to.have.nested.property('dependencies.postgres.ok', true);
      // The metadata service accepts changes without ClickHouse and reports the lag of the snapshot.
      const other = service === 'query' ? 'clickhouse' : 'snapshot';
      expect(ready.body).to.have.nested.property(`dependencies.${other}.ok`, true);
      expect((await request(url).get('/healthz')).status).to.equal(403);
    });

    it('counts requests for Prometheus by route and status', async () => {
      await get('/nowhere');
      const { text } = await request(opsUrl).get('/metrics');
      expect(text).to.match(
        /netpanel_request_duration_seconds_count\{[^}]*route="none",status="404"[^}]*\} [1-9]/,
      );
    });

    it('logs each request as one JSON line, without any token', async () => {
      const token = ownToken();
      const requestId = randomUUID();
      await get('/nowhere', token).set('X-Request-Id', requestId);
      expect(await logLine(requestId)).to.include({
        message: 'request',
        method: 'GET',
        route: 'none',
        status: 404,
        service,
        organisation: tenant.name,
      });
      expect(log()).to.not.contain(token);
    });

    it('logs the route of a request and not its path, which can contain the id of a household', async () => {
      const agent = `aabbcc${randomUUID().slice(0, 6)}`;
      const [path, route] =
        service === 'query'
          ? [`/filters/agent/values?search=${agent}&limit=none`, '/filters/:id/values']
          : [`/metadata/mac/${agent}`, '/metadata/:field/:value'];
      for (const one of [path, `/nowhere/${agent}`, `${path}%ff`]) {
        const requestId = randomUUID();
        const { status } = await get(one).set('X-Request-Id', requestId);
        expect(status).to.be.within(400, 499);
        const line = await logLine(requestId);
        if (one === path) expect(line).to.include({ route, status });
      }
      expect(log()).to.not.contain(agent);
    });

    function log(): string {
      return readFileSync(join(stack.stateDir, 'log', `${service}.log`), 'utf8');
    }

    async function logLine(requestId: string): Promise<Record<string, unknown>> {
      // Without the last line, which may be incomplete.
      const find = () =>
        log()
          .split('\n')
          .slice(0, -1)
          .find((line) => line.includes(requestId));
      await waitUntil(() => find() !== undefined);
      return JSON.parse(find()!) as Record<string, unknown>;
    }

    function get(path: string, token = ownToken()) {
      return request(url)
        .get(path)
        .set('Authorization', service === 'query' ? token : `Bearer ${token}`);
    }

    function ownToken(): string {
      return service === 'query' ? tenant.dataToken : tenant.metadataToken;
    }
  });
}
