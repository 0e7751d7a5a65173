import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { readSettings } from '../shared/config/read-settings.ts';
import { setting } from '../shared/config/setting.ts';
import { cliEnvironment } from './config.ts';

/** The running query service, asked with the caller's token. */
export interface DataInterface {
  /** The `data` of the answer; throws what the service says when it refuses. */
  ask<T>(method: string, path: string, options?: AskOptions): Promise<T>;
}

interface AskOptions {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Envelope {
  readonly code: string;
  readonly message: string;
  readonly data?: unknown;
  readonly errors?: Readonly<Record<string, readonly string[]>>;
}

export function dataInterface(): DataInterface {
  const { queryUrl, token } = readSettings(dataSettings(), cliEnvironment());
  return { ask };

  async function ask<T>(
    method: string,
    path: string,
    { body, headers = {} }: AskOptions = {},
  ): Promise<T> {
    const answer = await fetch(new URL(path, queryUrl), {
      method,
      headers: { authorization: token, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const envelope = (await answer.json()) as Envelope;
    if (envelope.data === undefined) throw new Error(refusal(envelope));
    return envelope.data as T;
  }
}

export type DataRequest = Readonly<Record<string, unknown>>;

/** From a file, or from standard input when it is "-". */
export async function readRequest(path: string): Promise<DataRequest> {
  const body = path === '-' ? await text(process.stdin) : await readFile(path, 'utf8');
  try {
    return JSON.parse(body) as DataRequest;
  } catch (error) {
    throw new Error(`${path} is not JSON`, { cause: error });
  }
}

/** A request for test data names its test, one for metric data its metric. */
export function endpointOf(request: DataRequest): 'test_data' | 'metric_data' {
  return 'test' in request ? 'test_data' : 'metric_data';
}

function dataSettings() {
  const { DEMO_DATA_TOKEN } = cliEnvironment();
  return {
    queryUrl: setting.url('QUERY_URL', 'Address of the query service.', {
      fallback: 'http://127.0.0.1:8080',
    }),
    token: setting.text('DATA_TOKEN', 'Token of the data interface.', {
      secret: true,
      ...(DEMO_DATA_TOKEN === undefined ? {} : { fallback: DEMO_DATA_TOKEN }),
    }),
  };
}

function refusal({ code, message, errors = {} }: Envelope): string {
  const fields = Object.entries(errors).map(([path, texts]) => `  ${path}: ${texts.join(' ')}`);
  return [`${code}: ${message}`, ...fields].join('\n');
}
