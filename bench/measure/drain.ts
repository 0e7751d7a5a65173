import { Agent, request } from 'node:http';

export interface Drained {
  readonly bytes: number;
  readonly headers: NodeJS.Dict<string | string[]>;
}

interface Post {
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The expected status. */
  readonly status?: number;
}

const agent = new Agent({ keepAlive: true });

/** Sends a POST and reads the whole response without parsing it. */
export function drain(url: URL | string, { body, headers, status = 200 }: Post): Promise<Drained> {
  return new Promise((resolve, reject) => {
    const post = request(url, { method: 'POST', agent, headers: { ...headers } });
    post.once('error', reject);
    post.once('response', (response) => {
      let bytes = 0;
      const start: Buffer[] = [];
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes < 2_000) start.push(chunk);
      });
      response.once('error', reject);
      response.once('end', () => {
        if (response.statusCode === status) resolve({ bytes, headers: response.headers });
        else reject(new Error(`${response.statusCode}: ${Buffer.concat(start).toString('utf8')}`));
      });
    });
    post.end(body);
  });
}
