import { expect } from 'chai';
import { ingestTenant, ndjson, result } from '../support/ingest-tenant.ts';
import { localStack } from '../support/local-stack.ts';
import { unfinishedRequest } from '../support/unfinished-request.ts';

describe('a body that arrives too slowly', () => {
  it('gets 408 from every service, its connection is closed, and nothing is stored', async () => {
    const { queryUrl, metadataUrl, ingestUrl } = await localStack();
    const { token, dataToken, metadataToken, ...tenant } = await ingestTenant();
    const row = ndjson(result(1, 1));
    const slow = async (url: string, route: readonly [string, string], token: string, body = '{') =>
      unfinishedRequest(
        url,
        route,
        {
          authorization: token,
          'content-type': route[1].startsWith('/results')
            ? 'application/x-ndjson'
            : 'application/json',
          'content-length': '100000',
        },
        body,
      );
    const slowRequests = await Promise.all([
      slow(ingestUrl, ['POST', '/results/httpget'], `Bearer ${token}`, row),
      slow(ingestUrl, ['POST', '/lmap/reports'], `Bearer ${token}`),
      slow(queryUrl, ['POST', '/metric_data'], dataToken),
      slow(metadataUrl, ['PUT', '/metadata'], `Bearer ${metadataToken}`),
    ]);
    // One byte per second is too slow too.
    const timer = setInterval(() => slowRequests.forEach(({ socket }) => socket.write(' ')), 1_000);
    // 2,000 bytes per second are enough.
    const steady = await slow(ingestUrl, ['POST', '/results/httpget'], `Bearer ${token}`, row);
    let left = 100_000 - row.length;
    const steadyTimer = setInterval(() => {
      const bytes = left > 70_000 ? 2_000 : left;
      left -= bytes;
      steady.socket.write(`${' '.repeat(bytes - 1)}\n`);
      if (left === 0) clearInterval(steadyTimer);
    }, 1_000);
    const responses = await Promise.all(slowRequests.map(({ response }) => response));
    clearInterval(timer);
    for (const response of responses) {
      const [head = '', body = ''] = response.split('\r\n\r\n');
      expect(head).to.match(/^HTTP\/1.1 408 /);
      expect(head).to.match(/connection: close/i);
      expect(JSON.parse(body)).to.deep.equal({
        code: 'REQUEST_TIMEOUT',
        message:
          'The request body arrived at less than 1000 bytes per second for 10 seconds. Send it faster, or in several smaller requests.',
      });
    }
    expect(await tenant.rows('httpget', 'bytes_sec')).to.deep.equal([]);
    const stored = await new Promise<string>((resolve) =>
      steady.socket.once('data', (data) => resolve(data.toString())),
    );
    steady.socket.destroy();
    expect(stored).to.match(/^HTTP\/1.1 200 /);
  });
});
