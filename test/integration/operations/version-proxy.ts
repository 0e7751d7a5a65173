import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A proxy for a ClickHouse server that replaces its version in responses. */
export interface VersionProxy {
  readonly url: string;
  /** Sets the result of `version()`. */
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
    // The length may have changed, and connection headers apply to one hop only.
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
