import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request to ClickHouse. */
export interface RecordedQuery {
  readonly parameters: URLSearchParams;
  /** The statement; for an INSERT without its rows. */
  readonly sql: string;
}

/** A proxy for ClickHouse that records every query and its traceparent header. */
export async function startRecordingProxy(clickhouseUrl: string) {
  const traceparents: unknown[] = [];
  const queries: RecordedQuery[] = [];
  const server = createServer((req, res) => {
    traceparents.push(req.headers.traceparent);
    const { method, headers } = req;
    const url = new URL(req.url ?? '', clickhouseUrl);
    const forwarded = request(url, { method, headers }, (response) => {
      res.writeHead(response.statusCode ?? 500, response.headers);
      response.pipe(res);
    });
    forwarded.on('error', () => res.destroy());
    const body: Buffer[] = [];
    req.on('data', (chunk: Buffer) => body.push(chunk));
    req.on('end', () => {
      const { searchParams: parameters } = url;
      const sql = parameters.get('query') ?? Buffer.concat(body).toString();
      queries.push({ parameters, sql });
    });
    req.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    traceparents,
    queries,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
