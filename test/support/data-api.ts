import { conforms } from './conforms.ts';

export interface DataAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: {
    readonly code: string;
    readonly message: string;
    readonly data: unknown;
    readonly errors?: Readonly<Record<string, readonly string[]>>;
  };
}

/** Asks the data interface, and holds every answer against openapi/query.yaml. */
export class DataApi {
  readonly #url: string;
  readonly #token: string;

  constructor(url: string, token: string) {
    this.#url = url;
    this.#token = token;
  }

  get(path: string): Promise<DataAnswer> {
    return this.send('GET', path, {});
  }

  post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<DataAnswer> {
    return this.send('POST', path, {
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    });
  }

  async send(
    method: string,
    path: string,
    { body, headers }: { body?: string; headers?: Record<string, string> },
  ): Promise<DataAnswer> {
    const answer = await fetch(`${this.#url}${path}`, {
      method,
      headers: { authorization: this.#token, ...headers },
      ...(body === undefined ? {} : { body }),
    });
    const { status } = answer;
    const text = await answer.text();
    const read = { status, headers: answer.headers, body: JSON.parse(text) as DataAnswer['body'] };
    await conforms('query.yaml', method, path, read);
    return read;
  }
}
