import {
  createServer,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Express } from 'express';
import type { TlsCertificate } from '../tls/tls-certificate.ts';
import { errorCodes, type ErrorCode } from '../errors/error-codes.ts';

/** The largest valid request needs 52 KiB: a value of 4,096 characters in a URL, each up to four bytes in percent form. */
const maxHeaderSize = 64 * 1024;

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

/** Serves HTTPS with a certificate, otherwise HTTP. Can be closed without aborting running requests. */
export async function listen(
  app: Express,
  host: string,
  port: number,
  { certificate, clientStallMs }: ListenOptions = {},
) {
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
    /** Stops accepting, waits for running requests, then aborts the rest. */
    close: (graceMs: number) => {
      for (const res of running) closeAfterResponse(res);
      return close(server, sockets, graceMs);
    },
  };
}

function tlsServer(handle: RequestListener, certificate: TlsCertificate): Server {
  const options = { ...limits, handshakeTimeout: 10_000, ...certificate.options() };
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

/** How long a client that is still sending has to read the response. */
const lingerMs = 1_000;

/** Responds to requests that Node cannot parse, and which reach no route, in the envelope of the contracts. */
function refuseInvalidHttp(server: Server): void {
  const refused = new WeakSet<Socket>();
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // Node 24 reports the rest of a refused request too. Destroying the socket would lose the response.
    if (refused.has(socket)) return;
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    refused.add(socket);
    const { status, ...refusal } = refusalOf(error.code);
    const body = JSON.stringify(refusal);
    // Closed at once, a connection with unread data is reset, and the client loses the response.
    const timer = setTimeout(() => socket.destroy(), lingerMs);
    socket.once('close', () => clearTimeout(timer));
    socket.end(
      [
        `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
        'Content-Type: application/json; charset=utf-8',
        `Content-Length: ${Buffer.byteLength(body)}`,
        'Connection: close',
        '',
        body,
      ].join('\r\n'),
    );
    socket.resume();
  });
}

function refusalOf(code: string | undefined): { status: number; code: ErrorCode; message: string } {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return {
        status: 431,
        code: 'BAD_REQUEST',
        message: `The URL and the headers are larger than ${maxHeaderSize} bytes`,
      };
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { code: 'REQUEST_TIMEOUT', ...errorCodes.REQUEST_TIMEOUT };
    default:
      return { status: 400, code: 'BAD_REQUEST', message: 'The request is not valid HTTP' };
  }
}
