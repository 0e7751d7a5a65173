import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** Stands before a ClickHouse server and cuts connections before or after a request was executed. */
export interface CuttingProxy {
  readonly url: string;
  stop(): Promise<void>;
}

/** `cut` is called when a request comes and, where that returns false, again when it was executed. */
export async function startCuttingProxy(
  clickhouseUrl: string,
  cut: (moment: 'before' | 'after', sql: string) => boolean,
): Promise<CuttingProxy> {
  const server = createServer((req, res) => void pass(req, res).catch(() => res.destroy()));
  async function pass(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const target = new URL(req.url ?? '/', clickhouseUrl);
    const body = await buffer(req);
    const sql = `${target.searchParams.get('query') ?? ''}\n${body.toString()}`.trim();
    if (cut('before', sql)) return void res.destroy();
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const forwarded = request(target, { method: req.method, headers: req.headers });
      forwarded.once('response', resolve).once('error', reject).end(body);
    });
    const content = await buffer(answer);
    if (cut('after', sql)) return void res.destroy();
    res.writeHead(answer.statusCode ?? 500, answer.headers);
    res.end(content);
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
