import { request } from 'node:http';

export interface Sent {
  readonly method: string;
  /** As it goes over the wire: nothing is normalised, as fetch would. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Buffer | undefined;
}

export interface Received {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** One request to a service, byte by byte as told. */
export function send(url: string, { method, path, headers = {}, body }: Sent): Promise<Received> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let isAnswered = false;
    const outgoing = request(
      { hostname, port, method, path, headers, agent: false },
      (incoming) => {
        isAnswered = true;
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
    // Refused before all of it was sent: the answer is there, and the rest has nowhere to go.
    outgoing.on('error', (error) => {
      if (!isAnswered) reject(error);
    });
    // Said even for a GET, or the bytes would be taken for the next request.
    if (body !== undefined) outgoing.setHeader('content-length', Buffer.byteLength(body));
    outgoing.end(body);
  });
}

/** `Authorization` as the clients of each service send it. */
export function authorization(service: 'query' | 'metadata', token: string): string {
  return service === 'query' ? token : `Bearer ${token}`;
}
