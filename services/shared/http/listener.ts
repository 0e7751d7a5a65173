import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Express } from 'express';
import type { TlsCertificate } from '../tls/tls-certificate.ts';

/** A listening HTTP or HTTPS server that can be closed without aborting running requests. */
export interface Listener {
  readonly port: number;
  /** Stops accepting, waits for running requests, then aborts the rest. */
  close(graceMs: number): Promise<void>;
}

/**
 * An idle connection is kept for longer than proxies keep theirs, which is a minute as a rule: one
 * that closes first makes the other send its next request into a connection that is going away.
 */
const timeLimits = { requestTimeout: 60_000, headersTimeout: 30_000, keepAliveTimeout: 75_000 };

/** With a certificate it speaks HTTPS and nothing else. */
export async function listen(
  app: Express,
  host: string,
  port: number,
  certificate?: TlsCertificate,
): Promise<Listener> {
  const underWay = new Set<ServerResponse>();
  const answer: RequestListener = (req, res) => {
    // Five of us wait for its end, and a pipeline into it six times over: no leak to be warned of.
    res.setMaxListeners(20);
    underWay.add(res);
    res.once('close', () => underWay.delete(res));
    if (!server.listening) askToLeave(res);
    app(req, res);
  };
  const server =
    certificate === undefined ? createServer(timeLimits, answer) : tlsServer(answer, certificate);
  const sockets = socketsOf(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: (graceMs) => {
      for (const res of underWay) askToLeave(res);
      return close(server, sockets, graceMs);
    },
  };
}

function tlsServer(answer: RequestListener, certificate: TlsCertificate): Server {
  const limits = { ...timeLimits, handshakeTimeout: 10_000 };
  const server = createTlsServer({ ...limits, ...certificate.options }, answer);
  certificate.onChange((options) => server.setSecureContext(options));
  return server;
}

// The server itself does not know those that are still shaking hands.
function socketsOf(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
}

// A caller that keeps its connection busy would never leave it idle, and be cut off at the end of the
// grace in the middle of an answer.
function askToLeave(res: ServerResponse): void {
  if (!res.headersSent) res.setHeader('Connection', 'close');
}

async function close(server: Server, sockets: ReadonlySet<Socket>, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  // A connection that becomes idle after its last answer would otherwise be kept alive.
  const sweep = setInterval(() => server.closeIdleConnections(), 100);
  const cutOff = setTimeout(() => {
    for (const socket of sockets) socket.destroy();
  }, graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(cutOff);
}
