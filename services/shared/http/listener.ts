import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Express } from 'express';
import type { TlsCertificate } from '../tls/tls-certificate.ts';
import { maxHeaderSize, refuseInvalidHttp } from './refuse-invalid-http.ts';

/** A listening HTTP or HTTPS server that can be closed without aborting running requests. */
export interface Listener {
  readonly port: number;
  /** Stops accepting, waits for running requests, then aborts the rest. */
  close(graceMs: number): Promise<void>;
}

/**
 * The keep-alive timeout is longer than that of most proxies (60 s): if the server closed an idle
 * connection first, a proxy could send its next request into a closing connection.
 */
const limits = {
  requestTimeout: 60_000,
  headersTimeout: 30_000,
  keepAliveTimeout: 75_000,
  maxHeaderSize,
};

interface ListenOptions {
  readonly certificate?: TlsCertificate | undefined;
  /** How long a client may read nothing of its response. Default: no limit. */
  readonly clientStallMs?: number;
}

/** Serves HTTPS with a certificate, otherwise HTTP. */
export async function listen(
  app: Express,
  host: string,
  port: number,
  { certificate, clientStallMs }: ListenOptions = {},
): Promise<Listener> {
  const running = new Set<ServerResponse>();
  const handle: RequestListener = (req, res) => {
    // We and a pipeline add eleven listeners: the default limit of 10 would log a warning.
    res.setMaxListeners(20);
    running.add(res);
    res.once('close', () => running.delete(res));
    if (!server.listening) closeAfterResponse(res);
    app(req, res);
  };
  const server =
    certificate === undefined ? createServer(limits, handle) : tlsServer(handle, certificate);
  refuseInvalidHttp(server);
  if (clientStallMs !== undefined) closeStalled(server, running, clientStallMs);
  const sockets = socketsOf(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: (graceMs) => {
      for (const res of running) closeAfterResponse(res);
      return close(server, sockets, graceMs);
    },
  };
}

function tlsServer(handle: RequestListener, certificate: TlsCertificate): Server {
  const options = { ...limits, handshakeTimeout: 10_000, ...certificate.options };
  const server = createTlsServer(options, handle);
  certificate.onChange((options) => server.setSecureContext(options));
  return server;
}

// A client that stops reading would keep the rest of its response in memory, and its file open. Node
// reports connections on which nothing happens; those that wait for a handler are kept.
function closeStalled(server: Server, running: ReadonlySet<ServerResponse>, stallMs: number): void {
  server.setTimeout(stallMs, (socket: Socket) => {
    const isHandling = [...running].some((res) => res.socket === socket);
    if (!isHandling || socket.writableLength > 0) socket.destroy();
  });
}

// Server.closeAllConnections does not include connections in the TLS handshake.
function socketsOf(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
}

// Otherwise a busy keep-alive connection would never become idle, and be closed in the middle of a
// response at the end of the grace period.
function closeAfterResponse(res: ServerResponse): void {
  if (!res.headersSent) res.setHeader('Connection', 'close');
}

async function close(server: Server, sockets: ReadonlySet<Socket>, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  // Connections become idle after their last response.
  const sweep = setInterval(() => server.closeIdleConnections(), 100);
  const grace = setTimeout(() => {
    for (const socket of sockets) socket.destroy();
  }, graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(grace);
}
