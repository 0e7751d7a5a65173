import {
  createQueryClient,
  type ErrorResponse,
  type MetricQuery,
  type QueryClient,
  type TestQuery,
} from '../../openapi/client/index.ts';
import { readSettings } from '../shared/config/read-settings.ts';
import { setting } from '../shared/config/setting.ts';
import { cliEnvironment } from './config.ts';

/** The options of every command that sends requests to the query service. */
export const connectionOptions = {
  url: { type: 'string' },
  token: { type: 'string' },
} as const;

export const connectionUsage = `  --url URL        the query service; default: QUERY_URL, or the local stack
  --token TOKEN    a data token; default: DATA_TOKEN, or that of the demo organisation in the local stack. Other
                   users of the machine can see the options of a process: prefer DATA_TOKEN.`;

/** A client of the running query service. Options win over the environment. */
export function queryClient(given: ConnectionOptions = {}): QueryClient {
  const local = cliEnvironment();
  // The demo token is for the local stack only.
  const { DEMO_DATA_TOKEN: fallback } = given.url === undefined ? local : {};
  const environment = {
    ...local,
    ...(given.url === undefined ? {} : { QUERY_URL: given.url }),
    ...(given.token === undefined ? {} : { DATA_TOKEN: given.token }),
  };
  const settings = {
    baseUrl: setting.url('QUERY_URL', 'Address of the query service.', {
      fallback: 'http://127.0.0.1:8080',
    }),
    token: setting.password('DATA_TOKEN', 'Token of the data interface.', fallback),
  };
  return createQueryClient(readSettings(settings, environment));
}

interface ConnectionOptions {
  readonly url?: string | undefined;
  readonly token?: string | undefined;
}

/** The `data` of a response. Throws the service's own message when it is an error. */
export function dataOf<T>(response: { data?: { data: T }; error?: ErrorResponse }): T {
  if (response.data !== undefined) return response.data.data;
  const { code = 'UNKNOWN_ERROR', message = '' } = response.error ?? {};
  throw new Error(`${code}: ${message}`);
}

export type DataRequest = MetricQuery | TestQuery;

/** A request for test data has the field `test`, a request for metric data `metric`. */
export function isTestQuery(request: DataRequest): request is TestQuery {
  return 'test' in request;
}
