import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type { Engine, EngineModule } from './engines/engine.ts';
import { queryHandler } from './query-handler.ts';
import type { QueryHandler } from './query-handler.ts';

// ClickHouse's HTTP interface over an engine in this process, for one machine:
//   node dist/deploy/local/clickhouse/server.js --port 8123 --engine native --data .local/clickhouse
// --engine is native, wasm, or the path of a module that exports startEngine().
// With an IPC channel it sends `{ ready: version }` or `{ failed: reason }` to the parent process, and
// exits with it.

const { values } = parseArgs({
  options: {
    port: { type: 'string' },
    host: { type: 'string', default: '127.0.0.1' },
    engine: { type: 'string', default: 'native' },
    data: { type: 'string' },
  },
});
const port = Number(values.port);
// Shutdown must not wait for a query that does not end.
const stopTimeoutMs = 1500;

const server = createServer({ maxHeaderSize: 2 * 1024 ** 2, requestTimeout: 0 }, (req, res) => {
  // An error in one request must not end the server.
  handle(req, res).catch(() => res.destroy());
});
server.keepAliveTimeout = 30_000;
let engine: Engine | undefined;
process.on('disconnect', () => void stop());
process.on('SIGTERM', () => void stop());
// Ctrl-C in a terminal reaches the child as well, but the parent decides when to stop.
process.on('SIGINT', () => {
  if (!process.connected) void stop();
});

const started = start();
started.then(
  () => process.send?.({ ready: engine?.version }),
  (error: unknown) => {
    const isPortTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    fail(isPortTaken ? `port ${port} is already in use` : (error as Error).message);
  },
);

// Listens before it loads the engine, so that a port in use fails at once. Requests wait for the engine.
async function start(): Promise<QueryHandler> {
  if (!Number.isInteger(port) || port < 1) throw new Error('--port must be a number above 0');
  if (values.data === undefined) throw new Error('--data DIR is missing');
  server.listen(port, values.host);
  await once(server, 'listening');
  const module = await engineModule(values.engine);
  engine = await module.startEngine({ dataDir: resolve(values.data), onCrash: fail });
  return queryHandler(engine);
}

async function engineModule(name: string): Promise<EngineModule> {
  if (name === 'native') return import('./engines/native/native-engine.ts');
  if (name === 'wasm') return import('./engines/wasm/wasm-engine.ts');
  return import(pathToFileURL(resolve(name)).href) as Promise<EngineModule>;
}

async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const handleQuery = await started;
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
    await handleQuery(req, res, parameters);
  }
}

async function stop(): Promise<void> {
  // process.exit() does not return while a thread is in the native engine; the data on disk survives a
  // kill at any time.
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), stopTimeoutMs).unref();
  server.close();
  await engine?.stop();
  process.exit(0);
}

function fail(reason: string): void {
  process.stderr.write(`ClickHouse: ${reason}\n`);
  const end = () => process.exit(1);
  if (process.send === undefined) end();
  else process.send({ failed: reason }, end);
}
