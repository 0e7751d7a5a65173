import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { openBody } from '../../../services/ingest/body/open-body.ts';

describe('the body of a request with results', () => {
  interface Received {
    readonly chunks: readonly number[];
    /** The memory that was asked for. */
    readonly memory: readonly number[];
    readonly error: string;
  }

  /** What a server receives from a client that announces this length. */
  async function received(
    length: number,
    sendTo: (socket: Socket) => Promise<void>,
  ): Promise<Received> {
    const read = async (req: IncomingMessage): Promise<Received> => {
      const [chunks, memory]: [number[], number[]] = [[], []];
      const growTo = (bytes: number) => Promise.resolve(void memory.push(bytes));
      const share = { memory: { growTo }, nextTurn: () => Promise.resolve() };
      const limits = { maxBytes: 1e6, maxDecodedBytes: 1e6, share };
      try {
        for await (const chunk of openBody(req, 'identity', limits)) {
          chunks.push((chunk as Buffer).length);
        }
        return { chunks, memory, error: '' };
      } catch (error) {
        return { chunks, memory, error: (error as Error).message };
      }
    };
    const server = createServer().listen(0, '127.0.0.1');
    const result = once(server, 'request').then(([req]) => read(req as IncomingMessage));
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setNoDelay();
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`);
    await sendTo(socket);
    const found = await result;
    socket.destroy();
    server.close();
    return found;
  }

  it('is read in one chunk, however slowly its first 16 KiB arrive', async () => {
    const found = await received(300, async (socket) => {
      for (let i = 0; i < 300; i++) {
        socket.write('x');
        await sleep(1);
      }
    });
    expect(found).to.deep.equal({ chunks: [300], memory: [900], error: '' });
  });

  it('is read completely when it is large, and its memory grows with it', async () => {
    const { chunks, memory, error } = await received(900_000, async (socket) => {
      await new Promise((resolve) => socket.write('x'.repeat(900_000), resolve));
    });
    expect([chunks.reduce((sum, one) => sum + one), error]).to.deep.equal([900_000, '']);
    expect(memory.at(-1)).to.equal(2_700_000);
    expect(memory).to.deep.equal(memory.toSorted((a, b) => a - b));
  });

  it('is an error when the client disconnects before its end', async () => {
    const { error } = await received(900_000, async (socket) => {
      await new Promise((resolve) => socket.write('x'.repeat(100_000), resolve));
      socket.destroy();
    });
    expect(error).to.equal('The request was cut off before its end');
  });

  it('may be empty', async () => {
    const found = await received(0, () => Promise.resolve());
    expect(found).to.deep.equal({ chunks: [], memory: [], error: '' });
  });
});
