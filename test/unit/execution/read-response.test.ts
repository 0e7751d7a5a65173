import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { readResponse } from '../../../services/query/execution/read-response.ts';

const mebibyte = 1024 * 1024;

describe('readResponse', () => {
  it('lets the server wait while nothing is taken', async () => {
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
    await withAnswer(send, async (answer) => {
      const pieces = readResponse(answer);
      const first = await pieces.next();
      let takenBytes = (first.value as Buffer).length;
      await sleep(500);
      // What the sockets of both sides hold is a few megabytes.
      expect(sentBytes).to.be.lessThan(32 * mebibyte);
      expect(answer.readableLength).to.be.lessThan(mebibyte);
      for await (const piece of pieces) takenBytes += piece.length;
      expect(takenBytes).to.equal(totalBytes);
    });
  });

  it('gives out all that came before the connection broke, however late it is taken', async () => {
    const content = Buffer.from(Array.from({ length: 300_000 }, (_, i) => i % 251));
    const send = (res: ServerResponse) => {
      res.write(content);
      res.socket?.destroySoon();
    };
    await withAnswer(send, async (answer) => {
      const taken: Buffer[] = [];
      let failure: unknown;
      try {
        for await (const piece of readResponse(answer)) {
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

  it('ends the connection when the reader stops early', async () => {
    let closed: Promise<unknown> | undefined;
    const send = (res: ServerResponse) => {
      closed = once(res, 'close');
      res.write(Buffer.alloc(mebibyte));
    };
    await withAnswer(send, async (answer) => {
      for await (const piece of readResponse(answer)) {
        expect(piece.length).to.be.greaterThan(0);
        break;
      }
      await closed;
    });
  });
});

async function withAnswer(
  send: (res: ServerResponse) => void | Promise<void>,
  work: (answer: IncomingMessage) => Promise<void>,
): Promise<void> {
  const server = createServer((_req, res) => void send(res)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const request = get(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  request.on('error', () => undefined);
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  try {
    await work(answer);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}
