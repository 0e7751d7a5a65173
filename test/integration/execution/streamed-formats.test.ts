import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { expect } from 'chai';
import { holdExport } from '../../support/background-export.ts';
import { DataApi } from '../../support/data-api.ts';
import { addManyDownloads } from '../../support/downloads.ts';
import { localStack } from '../../support/local-stack.ts';
import { type QueryService, startQueryService } from '../../support/query-service.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';
import { newTenant } from '../../support/tenant.ts';
import { waitUntil } from '../../support/wait-until.ts';

const rowCount = 20_000;
const january = { test: 'httpget', date: { from: '2026-01-01', to: '2026-01-31' } };
const decoders = {
  identity: () => new PassThrough(),
  gzip: createGunzip,
  br: createBrotliDecompress,
};

describe('a streamed response', () => {
  let proxy: TcpProxy;
  let service: QueryService;
  let token: string;

  before(async () => {
    const { database, clickhouse, clickhouseUrl } = await localStack();
    const { organisationId, dataToken } = await newTenant(database);
    token = dataToken;
    await addManyDownloads(clickhouse, organisationId, rowCount);
    proxy = await startTcpProxy(clickhouseUrl);
    service = await startQueryService({ CLICKHOUSE_URL: proxy.url });
  });
  after(async () => {
    await service.stop();
    await proxy.stop();
  });
  beforeEach(async () => {
    // Fills the caches of the service, so that the proxy holds the response to the query.
    await new DataApi(service.url, token).get('/splits');
  });
  afterEach(() => proxy.heal());

  for (const accept of ['application/json', 'application/x-ndjson', 'text/csv']) {
    for (const encoding of ['identity', 'gzip', 'br'] as const) {
      it(`has its first rows before the query ends: ${accept}, ${encoding}`, async () => {
        const { response, received, ended } = await heldResponse(accept, encoding);
        expect(received.rows()).to.be.lessThan(rowCount);
        proxy.heal();
        await ended;
        expect(received.rows()).to.equal(rowCount);
        expect(response.complete).to.equal(true);
      });

      it(`never looks complete after an error: ${accept}, ${encoding}`, async () => {
        const { response, received, ended } = await heldResponse(accept, encoding);
        proxy.fault({ kind: 'cut', direction: 'to the service' });
        await ended;
        expect(response.complete).to.equal(false);
        expect(received.isDecoded()).to.equal(encoding === 'identity');
      });
    }
  }

  /** A response of which the first rows have arrived, and not the last ones. */
  async function heldResponse(accept: string, encoding: keyof typeof decoders) {
    // Less than what an encoder collects before it returns anything.
    holdExport(proxy, 8 / 1024);
    const response = await post({ accept, 'accept-encoding': encoding });
    expect(response.statusCode).to.equal(200);
    expect(response.headers['content-encoding'] ?? 'identity').to.equal(encoding);
    const decoder = decoders[encoding]();
    let text = '';
    let isDecoded = false;
    decoder.on('data', (chunk: Buffer) => (text += chunk.toString()));
    decoder.on('end', () => (isDecoded = true));
    decoder.on('error', () => undefined);
    response.on('error', () => undefined);
    response.on('data', (chunk: Buffer) => decoder.write(chunk));
    const ended = closed(response).then(() => closed(decoder.end()));
    const rows = () => text.split('many.example.net').length - 1;
    await waitUntil(() => rows() > 3);
    return { response, received: { rows, isDecoded: () => isDecoded }, ended };
  }

  async function post(headers: Readonly<Record<string, string>>): Promise<IncomingMessage> {
    const request = httpRequest(`${service.url}/test_data`, {
      method: 'POST',
      headers: { authorization: token, 'content-type': 'application/json', ...headers },
    });
    request.on('error', () => undefined);
    request.end(JSON.stringify(january));
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return response;
  }
});

/** Like `once`, which rejects on an error. */
function closed(stream: Readable | Writable): Promise<void> {
  return new Promise((resolve) => stream.once('close', resolve));
}
