import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Stands between a service and ClickHouse, and does to the connection what networks do. */
export interface ClickHouseProxy {
  readonly url: string;
  /** Cuts a connection that has brought so many bytes of answers from now on. */
  cutAfter(bytes: number): void;
  /** Lets nothing more through on a connection that has brought so many bytes from now on. */
  holdAfter(bytes: number): void;
  /** Lets everything through, what was held first. */
  release(): void;
  stop(): Promise<void>;
}

interface Rule {
  readonly kind: 'cut' | 'hold';
  readonly bytes: number;
  readonly passed: Map<Socket, number>;
}

export async function startClickHouseProxy(clickhouseUrl: string): Promise<ClickHouseProxy> {
  const { hostname, port } = new URL(clickhouseUrl);
  const sockets = new Set<Socket>();
  let rule: Rule | undefined;
  let held: (() => void)[] = [];

  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
    }
    client.on('close', () => upstream.destroy());
    // Only when the client has got all that came before.
    upstream.on('close', () => client.destroySoon());
    client.pipe(upstream);
    upstream.on('data', (chunk: Buffer) => pass(chunk, client, upstream));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  function pass(chunk: Buffer, client: Socket, upstream: Socket): void {
    const passed = rule?.passed.get(client) ?? 0;
    if (rule === undefined || passed + chunk.length <= rule.bytes) {
      rule?.passed.set(client, passed + chunk.length);
      if (client.write(chunk)) return;
      upstream.pause();
      client.once('drain', () => upstream.resume());
      return;
    }
    const allowed = rule.bytes - passed;
    if (rule.kind === 'cut') {
      client.end(chunk.subarray(0, allowed), () => client.destroy());
      return;
    }
    client.write(chunk.subarray(0, allowed));
    rule.passed.set(client, rule.bytes);
    upstream.pause();
    held.push(() => {
      client.write(chunk.subarray(allowed));
      upstream.resume();
    });
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cutAfter: (bytes) => (rule = { kind: 'cut', bytes, passed: new Map() }),
    holdAfter: (bytes) => (rule = { kind: 'hold', bytes, passed: new Map() }),
    release: () => {
      rule = undefined;
      for (const letGo of held.splice(0)) letGo();
      held = [];
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
