import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Passes questions on to ClickHouse, and sees what trace they say they belong to. */
export async function watchedRoad(clickhouseUrl: string) {
  const traceparents: unknown[] = [];
  const server = createServer((req, res) => {
    traceparents.push(req.headers.traceparent);
    const { method, headers } = req;
    const onward = request(new URL(req.url ?? '', clickhouseUrl), { method, headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(res);
    });
    onward.on('error', () => res.destroy());
    req.pipe(onward);
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
