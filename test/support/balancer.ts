import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A small HTTP proxy in front of the replicas of a service, as a Kubernetes Service is. */
export interface Balancer {
  readonly url: string;
  /** Replaces the replicas: new requests go to these, requests in flight end where they are. */
  use(urls: readonly string[]): void;
  stop(): Promise<void>;
}

export async function startBalancer(): Promise<Balancer> {
  let targets: readonly string[] = [];
  let next = 0;
  // Without keep-alive: a connection that was idle during a shutdown is the proxy's fault, not the service's.
  const agent = new Agent({ keepAlive: false });
  const server = createServer((req, res) => {
    next = (next + 1) % targets.length;
    forward(req, res, targets[next]!, agent);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    use: (urls) => {
      targets = urls;
      next = 0;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      agent.destroy();
    },
  };
}

function forward(req: IncomingMessage, res: ServerResponse, target: string, agent: Agent): void {
  const { method, headers } = req;
  const forwarded = request(
    new URL(req.url ?? '/', target),
    { method, headers, agent },
    (reply) => {
      res.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(res);
    },
  );
  forwarded.on('error', () => {
    if (res.headersSent) res.destroy();
    else res.writeHead(502).end();
  });
  req.pipe(forwarded);
}
