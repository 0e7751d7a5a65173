import { request } from 'node:http';
import type { ServiceName } from './contract.ts';

export interface RawRequest {
  readonly method: string;
  /** Sent as it is; fetch would normalise it. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Buffer | undefined;
}

export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Sends one request without changing a byte. */
export function send(
  url: string,
  { method, path, headers = {}, body }: RawRequest,
): Promise<RawResponse> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let hasResponse = false;
    const outgoing = request(
      { hostname, port, method, path, headers, agent: false },
      (incoming) => {
        hasResponse = true;
        const pieces: Buffer[] = [];
        incoming.on('data', (piece: Buffer) => pieces.push(piece));
        incoming.on('error', reject);
        incoming.on('end', () => {
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            text: Buffer.concat(pieces).toString('utf8'),
          });
        });
      },
    );
    // The server may respond and close the connection before the body is sent.
    outgoing.on('error', (error) => {
      if (!hasResponse) reject(error);
    });
    // Needed for a GET too: otherwise the body would be parsed as the next request.
    if (body !== undefined) outgoing.setHeader('content-length', Buffer.byteLength(body));
    outgoing.end(body);
  });
}

/** The `Authorization` header of a service. */
export function authorization(service: ServiceName, token: string): string {
  return service === 'query' ? token : `Bearer ${token}`;
}
