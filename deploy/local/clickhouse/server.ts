import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseArgs } from 'node:util';
import { Engine } from './engine.ts';
import { queryHandler } from './query-handler.ts';

// ClickHouse's HTTP interface over the engine in WebAssembly, for one machine:
//   node deploy/local/clickhouse/server.ts --port 8123
// Tables live in this process's memory. Started by a parent with an IPC channel, it reports
// `{ ready: true }` or `{ failed: reason }` there and ends when the parent does.

const { values } = parseArgs({
  options: { port: { type: 'string' }, host: { type: 'string', default: '127.0.0.1' } },
});
const port = Number(values.port);
if (!Number.isInteger(port) || port < 1 || port > 65535) fail('--port must be 1 to 65535');

const server = createServer({ maxHeaderSize: 2 * 1024 ** 2, requestTimeout: 0 }, (req, res) => {
  void answer(req, res);
});
server.keepAliveTimeout = 30_000;
process.on('disconnect', () => process.exit(0));
process.on('SIGTERM', () => process.exit(0));
process.on('SIGINT', () => process.exit(0));

// The port is taken before the engine is loaded, so that a port in use is known at once; requests
// that come in between wait.
server.listen(port, values.host);
const started = once(server, 'listening')
  .then(() => Engine.start(fail))
  .then(queryHandler);
started.then(
  () => process.send?.({ ready: true }),
  (error: unknown) => {
    const isPortTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    fail(isPortTaken ? `port ${port} is already in use` : String(error));
  },
);

async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const handle = await started;
  const url = new URL(req.url ?? '/', 'http://localhost');
  const isPing = url.pathname === '/ping' || url.pathname === '/replicas_status';
  if (isPing || (url.pathname === '/' && req.method === 'GET' && !url.searchParams.has('query'))) {
    res.writeHead(200, { 'Content-Type': 'text/plain; charset=UTF-8' }).end('Ok.\n');
  } else if (url.pathname !== '/') {
    res.writeHead(404).end(`There is no handle ${url.pathname}\n`);
  } else if (req.method !== 'GET' && req.method !== 'POST') {
    res.writeHead(405, { Allow: 'GET, POST' }).end('Use GET or POST\n');
  } else {
    await handle(req, res, url);
  }
}

function fail(reason: string): void {
  process.stderr.write(`ClickHouse: ${reason}\n`);
  if (process.send === undefined) process.exit(1);
  process.send({ failed: reason }, () => process.exit(1));
}
