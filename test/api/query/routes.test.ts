import { expect } from 'chai';
import { localStack } from '../../support/local-stack.ts';

describe('the data interface', () => {
  let url: string;
  let token: string;

  before(async function () {
    this.timeout(180_000);
    const { queryUrl, env } = await localStack();
    url = queryUrl;
    token = env.DEMO_DATA_TOKEN ?? '';
  });

  it('404: a path there is not', async () => {
    for (const path of ['/', '/metric', '/filters/isp', '/%ff']) {
      const answer = await fetch(`${url}${path}`, { headers: { authorization: token } });
      expect(answer.status, path).to.equal(404);
      expect(await answer.json()).to.deep.equal({ code: 'NOT_FOUND', message: 'Not found' });
    }
  });

  it('405: a method that a path does not have', async () => {
    for (const [method, path, allowed] of [
      ['GET', '/metric_data', 'POST'],
      ['DELETE', '/metric_data', 'POST'],
      ['PUT', '/test_data', 'POST'],
      ['POST', '/metrics', 'GET'],
      ['GET', '/test_data/explain', 'POST'],
      ['POST', '/exports/1', 'DELETE GET'],
    ] as const) {
      const answer = await fetch(`${url}${path}`, { method, headers: { authorization: token } });
      expect(answer.status, `${method} ${path}`).to.equal(405);
      expect(answer.headers.get('allow')?.split(', ').sort().join(' ')).to.equal(allowed);
      expect(await answer.json()).to.include({ code: 'METHOD_NOT_ALLOWED' });
    }
  });

  it('serves its own contract without a token', async () => {
    const answer = await fetch(`${url}/openapi.yaml`);
    expect(answer.status).to.equal(200);
    expect(await answer.text()).to.match(/^openapi: 3/);
  });
});
