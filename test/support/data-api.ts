import type { Warning } from '../../services/shared/errors/warnings.ts';
import { assertDocumented } from './assert-documented.ts';

export interface DataResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: {
    readonly code: string;
    readonly message: string;
    readonly data: unknown;
    readonly errors?: Readonly<Record<string, readonly string[]>>;
    readonly warnings?: readonly Warning[];
  };
}

/** A client of the data interface that checks every response against openapi/query.yaml. */
export class DataApi {
  readonly #url: string;
  readonly #token: string;

  constructor(url: string, token: string) {
    this.#url = url;
    this.#token = token;
  }

  get(path: string): Promise<DataResponse> {
    return this.send('GET', path, {});
  }

  post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<DataResponse> {
    return this.#sendBody('POST', path, body, headers);
  }

  /** The points of a metric data request in the order of their series. Throws unless the status is 200. */
  async points<Point = Record<string, unknown>>(request: object): Promise<Point[]> {
    const { status, body } = await this.post('/metric_data', request);
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
    return (body.data as { metricData: Point[] }[]).flatMap(({ metricData }) => metricData);
  }

  patch(path: string, body: unknown): Promise<DataResponse> {
    return this.#sendBody('PATCH', path, body, {});
  }

  #sendBody(
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string>,
  ): Promise<DataResponse> {
    return this.send(method, path, {
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    });
  }

  async send(
    method: string,
    path: string,
    { body, headers }: { body?: string; headers?: Record<string, string> },
  ): Promise<DataResponse> {
    const response = await fetch(`${this.#url}${path}`, {
      method,
      headers: { authorization: this.#token, ...headers },
      ...(body === undefined ? {} : { body }),
    });
    const { status } = response;
    const text = await response.text();
    const read = {
      status,
      headers: response.headers,
      body: JSON.parse(text) as DataResponse['body'],
    };
    await assertDocumented('query.yaml', { method, path, ...read });
    return read;
  }
}
