import { request } from 'node:http';
import { expect } from 'chai';
import { DataApi } from '../../support/data-api.ts';
import { localStack } from '../../support/local-stack.ts';

describe('the data interface', () => {
  let url: string;
  let token: string;

  before(async () => {
    const { queryUrl, env } = await localStack();
    url = queryUrl;
    token = env.DEMO_DATA_TOKEN ?? '';
  });

  it('404: an unknown path', async () => {
    for (const path of ['/', '/metric', '/filters/isp', '/%ff']) {
      const response = await fetch(`${url}${path}`, { headers: { authorization: token } });
      expect(response.status, path).to.equal(404);
      expect(await response.json()).to.deep.equal({ code: 'NOT_FOUND', message: 'Not found' });
    }
  });

  it('405: an unsupported method', async () => {
    for (const [method, path, allowed] of [
      ['GET', '/metric_data', 'POST'],
      ['DELETE', '/metric_data', 'POST'],
      ['PUT', '/test_data', 'POST'],
      ['POST', '/metrics', 'GET'],
      ['GET', '/test_data/explain', 'POST'],
      ['POST', '/exports/1', 'DELETE GET'],
    ] as const) {
      const response = await fetch(`${url}${path}`, { method, headers: { authorization: token } });
      expect(response.status, `${method} ${path}`).to.equal(405);
      expect(response.headers.get('allow')?.split(', ').sort().join(' ')).to.equal(allowed);
      expect(await response.json()).to.include({ code: 'METHOD_NOT_ALLOWED' });
    }
  });

  it('422: an unknown query parameter, whatever its name', async () => {
    const api = new DataApi(url, token);
    for (const path of ['/metrics', '/tests', '/splits', '/filters', '/exports/x']) {
      for (const name of ['x', 'constructor', '__proto__', 'toString']) {
        const { status, body } = await api.get(`${path}?${name}=1`);
        expect(status, `${path} ${name}`).to.equal(422);
        expect(Object.entries(body.errors ?? {})).to.deep.equal([
          [name, [`Unknown query parameter '${name}'.`]],
        ]);
      }
    }
  });

  it('200: ignores the body of a GET request', async () => {
    const headers = { 'content-type': 'application/json' };
    for (const body of ['{"not json', '{}', 'x'.repeat(2_000_000)]) {
      const { hostname, port } = new URL(url);
      const status = await new Promise((resolve, reject) => {
        const options = {
          hostname,
          port,
          path: '/metrics',
          headers: { ...headers, authorization: token },
        };
        request({ ...options, method: 'GET' }, (response) => resolve(response.resume().statusCode))
          .on('error', reject)
          .setHeader('content-length', body.length)
          .end(body);
      });
      expect(status).to.equal(200);
    }
  });
});
