import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';

/** A listening HTTP server that can be closed without cutting off a request under way. */
export interface Listener {
  readonly port: number;
  /** Stops accepting, waits for requests under way, then cuts off what is left. */
  close(graceMs: number): Promise<void>;
}

export async function listen(app: Express, host: string, port: number): Promise<Listener> {
  const underWay = new Set<ServerResponse>();
  const server = createServer({ requestTimeout: 60_000, headersTimeout: 30_000 }, (req, res) => {
    underWay.add(res);
    res.once('close', () => underWay.delete(res));
    if (!server.listening) askToLeave(res);
    app(req, res);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: (graceMs) => {
      for (const res of underWay) askToLeave(res);
      return close(server, graceMs);
    },
  };
}

// A caller that keeps its connection busy would never leave it idle, and be cut off at the end of the
// grace in the middle of an answer.
function askToLeave(res: ServerResponse): void {
  if (!res.headersSent) res.setHeader('Connection', 'close');
}

async function close(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  // A connection that becomes idle after its last answer would otherwise be kept alive.
  const sweep = setInterval(() => server.closeIdleConnections(), 100);
  const cutOff = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(cutOff);
}
