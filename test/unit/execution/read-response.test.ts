import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { readResponse } from '../../../services/query/execution/read-response.ts';

const mebibyte = 1024 * 1024;

describe('readResponse', () => {
  it('applies backpressure to the server while nothing is read', async () => {
    const totalBytes = 256 * mebibyte;
    let sentBytes = 0;
    const send = async (res: ServerResponse) => {
      const piece = Buffer.alloc(mebibyte);
      while (sentBytes < totalBytes) {
        if (!res.write(piece)) await once(res, 'drain');
        sentBytes += piece.length;
      }
      res.end();
    };
    await withResponse(send, async (response) => {
      const pieces = readResponse(response);
      const first = await pieces.next();
      let takenBytes = (first.value as Buffer).length;
      await sleep(500);
      // The socket buffers of both sides hold a few megabytes.
      expect(sentBytes).to.be.lessThan(32 * mebibyte);
      expect(response.readableLength).to.be.lessThan(mebibyte);
      for await (const piece of pieces) takenBytes += piece.length;
      expect(takenBytes).to.equal(totalBytes);
    });
  });

  it('returns all bytes from before a connection error, however late they are read', async () => {
    const content = Buffer.from(Array.from({ length: 300_000 }, (_, i) => i % 251));
    const send = (res: ServerResponse) => {
      res.write(content);
      res.socket?.destroySoon();
    };
    await withResponse(send, async (response) => {
      const taken: Buffer[] = [];
      let failure: unknown;
      try {
        for await (const piece of readResponse(response)) {
          taken.push(piece);
          await sleep(50);
        }
      } catch (error) {
        failure = error;
      }
      expect((failure as Error).message).to.equal('aborted');
      expect(Buffer.concat(taken).equals(content)).to.be.true;
    });
  });

  it('refuses a response whose end is that of its connection: a cut one would look complete', async () => {
    const send = (res: ServerResponse) => {
      res.socket?.end('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nisp,mbps\nA,10');
    };
    await withResponse(send, async (response) => {
      const error = await readResponse(response)
        .next()
        .catch((reason: unknown) => reason);
      expect(String(error)).to.include('a proxy between netpanel and ClickHouse must use HTTP/1.1');
    });
  });

  it('closes the connection when the reader stops early', async () => {
    let closed: Promise<unknown> | undefined;
    const send = (res: ServerResponse) => {
      closed = once(res, 'close');
      res.write(Buffer.alloc(mebibyte));
    };
    await withResponse(send, async (response) => {
      for await (const piece of readResponse(response)) {
        expect(piece.length).to.be.greaterThan(0);
        break;
      }
      await closed;
    });
  });
});

async function withResponse(
  send: (res: ServerResponse) => void | Promise<void>,
  work: (response: IncomingMessage) => Promise<void>,
): Promise<void> {
  const server = createServer((_req, res) => void send(res)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const request = get(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  request.on('error', () => undefined);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  try {
    await work(response);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}
