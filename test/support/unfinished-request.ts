import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

interface UnfinishedRequest {
  readonly socket: Socket;
  /** What the service sends until it closes the connection. */
  readonly response: Promise<string>;
}

/** Sends the head of a request and the beginning of its body, and keeps the connection open. */
export async function unfinishedRequest(
  url: string,
  [method, path]: readonly [string, string],
  headers: Readonly<Record<string, string>>,
  beginning: string | Uint8Array,
): Promise<UnfinishedRequest> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${method} ${path} HTTP/1.1\r\nHost: x\r\n${lines.join('')}\r\n`);
  socket.write(beginning);
  return { socket, response: socket.toArray().then((chunks) => chunks.join('')) };
}
