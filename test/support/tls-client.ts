import { once } from 'node:events';
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';
import type { SelfSigned } from './self-signed-certificate.ts';

/** A connection that trusts only these certificates. Rejects if the handshake fails. */
export async function tlsConnection(
  port: number,
  trusted: readonly SelfSigned[],
  options: ConnectionOptions = {},
): Promise<TLSSocket> {
  const ca = trusted.map(({ cert }) => cert);
  const socket = connect({ host: '127.0.0.1', port, ca, ...options });
  await once(socket, 'secureConnect');
  return socket;
}

/** The common name of the certificate on a new connection. */
export async function servedName(port: number, trusted: readonly SelfSigned[]): Promise<string> {
  const socket = await tlsConnection(port, trusted);
  const { subject } = socket.getPeerCertificate();
  socket.destroy();
  return String(subject.CN);
}

/** A request with an incomplete body: it stays in progress until `finish` is called. */
export function halfRequest(socket: TLSSocket, method: string, path: string, token: string) {
  const body = '{"half": true}';
  const head = [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    `Authorization: ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 5)}`);
  return {
    /** Sends the rest and resolves with the response, including headers. */
    finish: async (): Promise<string> => {
      socket.write(body.slice(5));
      let response = '';
      while (!/\r\n\r\n.*\}$/s.test(response)) {
        const [chunk] = (await once(socket, 'data')) as [Buffer];
        response += chunk.toString();
      }
      return response;
    },
  };
}
