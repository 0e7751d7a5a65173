import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { DataApi } from '../../support/data-api.ts';
import { addManyDownloads } from '../../support/downloads.ts';
import { localStack } from '../../support/local-stack.ts';
import { type QueryService, startQueryService } from '../../support/query-service.ts';
import { newTenant } from '../../support/tenant.ts';
import { waitUntil } from '../../support/wait-until.ts';

/** Far more than the buffers between the service and a client that does not read, even compressed. */
const rowCount = 200_000;
const incompressible = 'hex(randomString(120, number))';
const encodings = ['identity', 'gzip', 'br'];
/** Clients of each encoding that stop reading at once. `make proof-faults` has more. */
const clientCount = Number(process.env.STALLED_READERS ?? 1);
const january = { from: '2026-01-01', to: '2026-01-31' };
const small = { test: 'dns', date: january };

describe('a client that stops reading its response', function () {
  this.timeout(180_000 + clientCount * 10_000);
  let service: QueryService;
  let patient: QueryService;
  let token: string;

  before(async () => {
    const { database, clickhouse } = await localStack();
    const { organisationId, dataToken } = await newTenant(database);
    token = dataToken;
    await addManyDownloads(clickhouse, organisationId, rowCount, incompressible);
    const oneSlot = { MAX_RUNNING_QUERIES: '1', QUERY_QUEUE_MS: '0' };
    service = await startQueryService({
      MAX_RUNNING_QUERIES: String(encodings.length * clientCount),
      QUERY_QUEUE_MS: '0',
      QUERY_TIMEOUT_MS: '3000',
    });
    patient = await startQueryService(oneSlot);
  });
  after(async () => {
    await service.stop();
    await patient.stop();
  });

  it('loses its connection and its slot at the deadline, in every encoding', async () => {
    const api = new DataApi(service.url, token);
    const stalled = encodings.flatMap((encoding) =>
      Array.from({ length: clientCount }, () => stalledResponse(encoding)),
    );
    const clients = await Promise.all(stalled);
    const statuses = () =>
      Promise.all(clients.map(async () => (await api.post('/test_data', small)).status));
    // The stalled responses have all slots until then.
    await waitUntil(async () => (await statuses()).every((status) => status === 200));

    for (const client of clients) {
      let end = '';
      client.on('data', (chunk: Buffer) => (end = (end + chunk.toString('latin1')).slice(-20)));
      if (!client.closed) await once(client.resume(), 'close');
      expect(end).not.to.match(/0\r\n\r\n$/);
    }
  });

  for (const encoding of encodings) {
    it(`frees its slot when it disconnects (${encoding})`, async () => {
      const api = new DataApi(patient.url, token);
      const client = await stalledResponse(encoding, patient);
      const status = async () => (await api.post('/test_data', small)).status;
      expect(await status()).to.equal(429);
      client.destroy();
      await waitUntil(async () => (await status()) === 200);
    });
  }

  /** A response that has begun, of which the client reads only the status. */
  async function stalledResponse(encoding: string, from = service): Promise<Socket> {
    for (;;) {
      const client = stalledQuery(encoding, from);
      await once(client, 'readable');
      // On a busy machine, the query may exceed its timeout before its first row.
      if ((client.read(15) as Buffer).toString() === 'HTTP/1.1 200 OK') return client;
      client.destroy();
    }
  }

  /** Sends a request for all rows. */
  function stalledQuery(encoding: string, { url }: QueryService): Socket {
    const { hostname, port } = new URL(url);
    const body = JSON.stringify({ test: 'httpget', date: january });
    const client = connect(Number(port), hostname).on('error', () => undefined);
    client.write(
      `POST /test_data HTTP/1.1\r\nHost: x\r\nAuthorization: ${token}\r\n` +
        `Accept-Encoding: ${encoding}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    return client;
  }
});
