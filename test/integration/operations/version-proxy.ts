import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** Stands before a ClickHouse server and lets it report another version; the rest passes through. */
export interface VersionProxy {
  readonly url: string;
  /** What `version()` returns from now on. */
  setVersion(version: string): void;
  stop(): Promise<void>;
}

export async function startVersionProxy(
  clickhouseUrl: string,
  realVersion: string,
  firstVersion: string,
): Promise<VersionProxy> {
  let version = firstVersion;
  const server = createServer((req, res) => {
    const target = new URL(req.url ?? '/', clickhouseUrl);
    const forwarded = request(target, { method: req.method, headers: req.headers });
    forwarded.on('response', (response) => void sendRewritten(response, res));
    forwarded.on('error', () => res.destroy());
    req.pipe(forwarded);
  });
  async function sendRewritten(response: IncomingMessage, res: ServerResponse): Promise<void> {
    const body = await buffer(response);
    const text = body.toString('latin1').replaceAll(`"${realVersion}"`, () => `"${version}"`);
    // Without the length, which may have changed, and what belongs to the other connection.
    const headers = Object.entries(response.headers).filter(
      ([name]) => !['content-length', 'transfer-encoding', 'connection'].includes(name),
    );
    res.writeHead(response.statusCode ?? 500, Object.fromEntries(headers));
    res.end(Buffer.from(text, 'latin1'));
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    setVersion: (next) => (version = next),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
