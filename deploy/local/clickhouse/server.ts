import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseArgs } from 'node:util';
import { Engine } from './engine.ts';
import { Journal } from './journal.ts';
import { queryHandler } from './query-handler.ts';
import type { QueryHandler } from './query-handler.ts';

// ClickHouse's HTTP interface over the engine in WebAssembly, for one machine:
//   node deploy/local/clickhouse/server.ts --port 8123
// Tables live in this process's memory; with --journal FILE they are made again at the next start.
// Started by a parent with an IPC channel, it reports
// `{ ready: true }` or `{ failed: reason }` there and ends when the parent does.

const { values } = parseArgs({
  options: {
    port: { type: 'string' },
    host: { type: 'string', default: '127.0.0.1' },
    journal: { type: 'string' },
  },
});
const port = Number(values.port);

const server = createServer({ maxHeaderSize: 2 * 1024 ** 2, requestTimeout: 0 }, (req, res) => {
  // Whatever goes wrong with one caller must not end the server, and the tables with it.
  answer(req, res).catch(() => res.destroy());
});
server.keepAliveTimeout = 30_000;
process.on('disconnect', () => process.exit(0));
process.on('SIGTERM', () => process.exit(0));
// Ctrl-C in a terminal reaches the child as well, but it is the parent who says when to stop.
process.on('SIGINT', () => {
  if (!process.connected) process.exit(0);
});

const started = start();
started.then(
  () => process.send?.({ ready: true }),
  (error: unknown) => {
    const isPortTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    fail(isPortTaken ? `port ${port} is already in use` : String(error));
  },
);

// The port is taken before the engine is loaded, so that a port in use is known at once; requests
// that come in between wait.
async function start(): Promise<QueryHandler> {
  if (!Number.isInteger(port) || port < 1) throw new Error('--port must be a number above 0');
  server.listen(port, values.host);
  await once(server, 'listening');
  const journal = values.journal === undefined ? undefined : new Journal(values.journal);
  return queryHandler(await Engine.start(fail), journal);
}

async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const handle = await started;
  const [path, search] = (req.url ?? '/').split(/\?(.*)/s);
  const parameters = new URLSearchParams(search);
  const isPing = path === '/ping' || path === '/replicas_status';
  if (isPing || (path === '/' && req.method === 'GET' && !parameters.has('query'))) {
    res.writeHead(200, { 'Content-Type': 'text/plain; charset=UTF-8' }).end('Ok.\n');
  } else if (path !== '/') {
    res.writeHead(404).end(`There is no handle ${path ?? ''}\n`);
  } else if (req.method !== 'GET' && req.method !== 'POST') {
    res.writeHead(405, { Allow: 'GET, POST' }).end('Use GET or POST\n');
  } else {
    await handle(req, res, parameters);
  }
}

function fail(reason: string): void {
  process.stderr.write(`ClickHouse: ${reason}\n`);
  if (process.send === undefined) process.exit(1);
  process.send({ failed: reason }, () => process.exit(1));
}
