import { Agent, request } from 'node:http';

export interface Drained {
  readonly bytes: number;
  readonly headers: NodeJS.Dict<string | string[]>;
}

interface Post {
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const agent = new Agent({ keepAlive: true });

/** Posts and reads the answer to its end without looking at it, as fast as it comes. */
export function drain(url: URL | string, { body, headers }: Post): Promise<Drained> {
  return new Promise((resolve, reject) => {
    const post = request(url, { method: 'POST', agent, headers: { ...headers } });
    post.once('error', reject);
    post.once('response', (answer) => {
      let bytes = 0;
      const start: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes < 2_000) start.push(chunk);
      });
      answer.once('error', reject);
      answer.once('end', () => {
        if (answer.statusCode === 200) resolve({ bytes, headers: answer.headers });
        else reject(new Error(`${answer.statusCode}: ${Buffer.concat(start).toString('utf8')}`));
      });
    });
    post.end(body);
  });
}
