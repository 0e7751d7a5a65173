import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { availableParallelism } from 'node:os';
import { ServerException } from './server-exception.ts';
import { quoted, quotedName } from './sql-tokens.ts';

/** The URL and headers of a request, without its body. */
export interface QueryRequest {
  readonly queryId: string;
  readonly query: string;
  readonly database: string | undefined;
  readonly defaultFormat: string;
  /** Values of `param_*`, as sent. */
  readonly parameters: ReadonlyMap<string, string>;
  readonly settings: ReadonlyMap<string, string>;
  readonly waitEndOfQuery: boolean;
  /** Content-Encoding of the response. */
  readonly responseEncoding: 'gzip' | 'lz4' | undefined;
  /** Whether the response uses ClickHouse's own block compression. */
  readonly blockResponse: boolean;
  /** ClickHouse protocol revision of the client; the format Native depends on it. */
  readonly protocolRevision: number;
  /** Whether the request has a session_id. The server keeps no sessions. */
  readonly hasSession: boolean;
}

export function parseQueryRequest(req: IncomingMessage, search: URLSearchParams): QueryRequest {
  const given = new Map(search);
  for (const value of given.values()) rejectLongValue(value);
  if (isOn(given.get('session_check'))) throw sessionNotFound(given.get('session_id') ?? '');
  const settings = new Map([
    ['max_threads', String(availableParallelism())],
    // A real server disables these unless the output is a terminal.
    ['output_format_pretty_color', '0'],
    ['output_format_pretty_highlight_digit_groups', '0'],
  ]);
  const parameters = new Map<string, string>();
  for (const [name, value] of given) {
    if (name.startsWith('param_')) parameters.set(name.slice('param_'.length), value);
    else if (!notSettings.has(name)) settings.set(name, value);
  }
  // As on a real server, a GET is read-only; readonly = 2 still allows settings.
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
    responseEncoding: isOn(given.get('enable_http_compression'))
      ? acceptedEncoding(header(req, 'accept-encoding') ?? '')
      : undefined,
    blockResponse: isOn(given.get('compress')),
    protocolRevision: Number(given.get('client_protocol_version') ?? 0),
    hasSession: given.has('session_id'),
  };
}

/**
 * The statements that set the request's database, settings and parameters on a new connection, and its id as
 * `query_cache_tag`. Few, because each takes about a quarter of the time of a small query.
 */
export function connectionSetup(request: QueryRequest): string[] {
  const settings = { ...Object.fromEntries(request.settings), query_cache_tag: request.queryId };
  const parameters = [...request.parameters].map(([name, value]) =>
    assignment(`param_${name}`, value),
  );
  const assignments = Object.entries(settings).map(([name, value]) => assignment(name, value));
  const set = (values: readonly string[]) => `SET ${values.join(', ')}`;
  const both = set([...parameters, ...assignments]);
  return [
    ...(request.database ? [`USE ${quotedName(request.database)}`] : []),
    // On a real server, max_query_size applies to the query but not to its parameters.
    ...(parameters.length === 0 || Buffer.byteLength(both) < defaultMaxQueryBytes
      ? [both]
      : [
          'SET max_query_size = 0',
          set(parameters),
          'SET max_query_size = DEFAULT',
          // Last, because `readonly` forbids further SET statements.
          set(assignments),
        ]),
  ];
}

const defaultMaxQueryBytes = 262_144;

// Parameters of the HTTP interface. The user is not checked: the server is for one machine.
const notSettings = new Set([
  'query',
  'query_id',
  'database',
  'default_format',
  'wait_end_of_query',
  'buffer_size',
  'user',
  'password',
  'quota_key',
  'role',
  'stacktrace',
  'client_protocol_version',
  'compress',
  'decompress',
  'close_session',
  'session_id',
  'session_timeout',
  'session_check',
]);

// As on a real server (http_max_field_value_size), for the URL and for forms.
const maxValueBytes = 128 * 1024;

function rejectLongValue(value: string): void {
  if (Buffer.byteLength(value) <= maxValueBytes) return;
  throw new ServerException(
    1000,
    'POCO_EXCEPTION',
    'Poco::Exception. HTML Form Exception: Field value too long',
  );
}

// With session_check a client tests whether a session still exists.
const sessionNotFound = (id: string) =>
  new ServerException(
    372,
    'SESSION_NOT_FOUND',
    `Session ${id} not found: the local server keeps no sessions.`,
  );

// Other encodings are ignored: every client accepts an uncompressed response.
function acceptedEncoding(offered: string): QueryRequest['responseEncoding'] {
  if (/\bgzip\b/.test(offered)) return 'gzip';
  return /\blz4\b/.test(offered) ? 'lz4' : undefined;
}

function assignment(name: string, value: string): string {
  if (!/^[A-Za-z_]\w*$/.test(name)) {
    throw new ServerException(115, 'UNKNOWN_SETTING', `Unknown setting '${name}'.`);
  }
  if (value.includes('\0')) {
    throw new ServerException(
      457,
      'BAD_QUERY_PARAMETER',
      `The value of ${name} must not contain a zero byte.`,
    );
  }
  return `${name} = ${quoted(value)}`;
}

export function isOn(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0' && value !== 'false';
}

function header(req: IncomingMessage, name: string): string | undefined {
  const value = req.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
