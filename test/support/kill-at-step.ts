import { existsSync, readFileSync } from 'node:fs';
import http from 'node:http';
import pg from 'pg';

// Loaded into a process by NODE_OPTIONS=--import: kills it with SIGKILL when a statement has been executed, before the
// process knows its result. KILL_STEP_FILE has the number of the statement, from 1, and is written when counting begins.
// Counted are statements to ClickHouse, and those to Postgres on connections whose name matches KILL_CONNECTIONS.

const file = process.env.KILL_STEP_FILE ?? '';
const connections = new RegExp(process.env.KILL_CONNECTIONS ?? '');
let executed = 0;

function onExecuted(): void {
  if (!existsSync(file)) return;
  executed++;
  if (executed === Number(readFileSync(file, 'utf8'))) process.kill(process.pid, 'SIGKILL');
}

interface Statement {
  connectionParameters?: { application_name?: string };
  once(event: 'drain' | 'error' | 'end', listener: () => void): void;
}

const prototype = pg.Client.prototype as unknown as {
  query: (this: Statement, ...args: unknown[]) => unknown;
};
const query = prototype.query;
prototype.query = function (...args) {
  const name = this.connectionParameters?.application_name ?? '';
  const place = args.findLastIndex((arg) => typeof arg === 'function');
  if (!connections.test(name) || place === -1) return query.apply(this, args);
  const callback = args[place] as (...results: unknown[]) => void;
  args[place] = (...results: unknown[]) => {
    onExecuted();
    callback(...results);
  };
  return query.apply(this, args);
};

const request = http.request.bind(http);
http.request = ((...args: Parameters<typeof http.request>) => {
  const sent = request(...args);
  sent.prependOnceListener('response', onExecuted);
  return sent;
}) as typeof http.request;
