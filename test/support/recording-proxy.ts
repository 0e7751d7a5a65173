import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy for ClickHouse that records the traceparent header of every request. */
export async function startRecordingProxy(clickhouseUrl: string) {
  const traceparents: unknown[] = [];
  const server = createServer((req, res) => {
    traceparents.push(req.headers.traceparent);
    const { method, headers } = req;
    const forwarded = request(
      new URL(req.url ?? '', clickhouseUrl),
      { method, headers },
      (response) => {
        res.writeHead(response.statusCode ?? 500, response.headers);
        response.pipe(res);
      },
    );
    forwarded.on('error', () => res.destroy());
    req.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    traceparents,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
