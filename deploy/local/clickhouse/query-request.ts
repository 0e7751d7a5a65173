import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { availableParallelism } from 'node:os';
import { ServerException, notImplemented } from './server-exception.ts';
import { quoted, quotedName } from './sql-tokens.ts';

/** What the address and the headers of a request say; its body is read separately. */
export interface QueryRequest {
  readonly queryId: string;
  readonly query: string;
  readonly database: string | undefined;
  readonly defaultFormat: string;
  /** Values of `param_*`, as sent. */
  readonly parameters: ReadonlyMap<string, string>;
  readonly settings: ReadonlyMap<string, string>;
  readonly waitEndOfQuery: boolean;
  readonly gzipResponse: boolean;
}

export function parseQueryRequest(req: IncomingMessage, search: URLSearchParams): QueryRequest {
  const given = new Map(search);
  refuseUnsupported(given, req);
  const settings = new Map([['max_threads', String(availableParallelism())]]);
  const parameters = new Map<string, string>();
  for (const [name, value] of given) {
    if (name.startsWith('param_')) parameters.set(name.slice('param_'.length), value);
    else if (!notSettings.has(name)) settings.set(name, value);
  }
  // As on a real server, a GET changes nothing: readonly = 2 still lets settings be set.
  if (req.method !== 'POST' && !isOn(settings.get('readonly'))) settings.set('readonly', '2');
  return {
    queryId: given.get('query_id') ?? randomUUID(),
    query: given.get('query') ?? '',
    database: given.get('database') ?? header(req, 'x-clickhouse-database'),
    defaultFormat:
      given.get('default_format') ?? header(req, 'x-clickhouse-format') ?? 'TabSeparated',
    parameters,
    settings,
    waitEndOfQuery:
      isOn(given.get('wait_end_of_query')) || isOn(given.get('http_wait_end_of_query')),
    gzipResponse:
      isOn(given.get('enable_http_compression')) &&
      /\bgzip\b/.test(header(req, 'accept-encoding') ?? ''),
  };
}

/** The statements that give a fresh connection the request's database, settings and parameters. */
export function connectionSetup(request: QueryRequest): string[] {
  const { readonly, ...settings } = Object.fromEntries(request.settings);
  const assignments = [
    ...Object.entries(settings).map(([name, value]) => assignment(name, value)),
    ...[...request.parameters].map(([name, value]) => assignment(`param_${name}`, value)),
  ];
  return [
    ...(request.database ? [`USE ${quotedName(request.database)}`] : []),
    `SET ${assignments.join(', ')}`,
    // Last, since nothing can be set after it.
    ...(isOn(readonly) ? [`SET ${assignment('readonly', readonly ?? '')}`] : []),
  ];
}

// Parameters of the HTTP interface itself. Who asks is not checked: the server is for one machine.
const notSettings = new Set([
  ...['query', 'query_id', 'database', 'default_format', 'wait_end_of_query', 'buffer_size'],
  ...['user', 'password', 'quota_key', 'role', 'stacktrace', 'client_protocol_version'],
  ...['compress', 'decompress', 'session_timeout', 'session_check', 'close_session'],
]);

function refuseUnsupported(given: ReadonlyMap<string, string>, req: IncomingMessage): void {
  if (given.has('session_id')) throw notImplemented('sessions (session_id)');
  for (const name of ['compress', 'decompress']) {
    if (isOn(given.get(name))) throw notImplemented(`ClickHouse's own block compression (${name})`);
  }
  if (header(req, 'content-type')?.startsWith('multipart/form-data')) {
    throw notImplemented('multipart bodies (external tables)');
  }
}

function assignment(name: string, value: string): string {
  if (!/^[A-Za-z_]\w*$/.test(name)) {
    throw new ServerException(115, 'UNKNOWN_SETTING', `Unknown setting '${name}'.`);
  }
  if (value.includes('\0')) {
    throw new ServerException(457, 'BAD_QUERY_PARAMETER', `The value of ${name} has a zero byte.`);
  }
  return `${name} = ${quoted(value)}`;
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0' && value !== 'false';
}

function header(req: IncomingMessage, name: string): string | undefined {
  const value = req.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
