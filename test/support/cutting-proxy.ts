import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A proxy for a ClickHouse server that closes connections before or after it forwarded a request. */
export interface CuttingProxy {
  readonly url: string;
  stop(): Promise<void>;
}

/** Calls `cut` before it forwards a request and, if that returned false, again after the response. */
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
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const forwarded = request(target, { method: req.method, headers: req.headers });
      forwarded.once('response', resolve).once('error', reject).end(body);
    });
    const content = await buffer(response);
    if (cut('after', sql)) return void res.destroy();
    res.writeHead(response.statusCode ?? 500, response.headers);
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
