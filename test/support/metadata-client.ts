import { assertDocumented } from './assert-documented.ts';

interface MetadataResponse {
  readonly status: number;
  readonly body: {
    readonly code: string;
    readonly message: string;
    readonly data?: unknown;
    readonly errors?: Readonly<Record<string, readonly string[]>>;
  };
}

export interface MetadataClient {
  /** `query`: such as dry_run=true. */
  put(body: unknown, query?: string): Promise<MetadataResponse>;
  /** Sends the body as it is, for text that JSON.stringify would not write. */
  putText(body: string, contentType?: string): Promise<MetadataResponse>;
  get(path: string): Promise<MetadataResponse>;
  delete(path: string): Promise<MetadataResponse>;
  /** Netpanel-Metadata-Version of the last response. */
  lastVersion(): number;
}

/** A client of the metadata interface that checks every response against openapi/metadata.yaml. */
export function metadataClient(baseUrl: string, token: string): MetadataClient {
  let lastVersion: string | null = null;
  const send = async (method: string, path: string, init: RequestInit = {}) => {
    const reply = await fetch(`${baseUrl}${path}`, {
      ...init,
      method,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        ...(init.headers as Record<string, string> | undefined),
      },
    });
    lastVersion = reply.headers.get('Netpanel-Metadata-Version');
    const response = {
      status: reply.status,
      body: (await reply.json()) as MetadataResponse['body'],
    };
    const request = init.body as string | undefined;
    await assertDocumented('metadata.yaml', { method, path, ...response, request });
    return response;
  };
  const putText = (body: string, contentType = 'application/json', query = '') =>
    send('PUT', `/metadata${query === '' ? '' : `?${query}`}`, {
      body,
      headers: { 'content-type': contentType },
    });
  return {
    put: (body, query) => putText(JSON.stringify(body), undefined, query),
    putText: (body, contentType) => putText(body, contentType),
    get: (path) => send('GET', path),
    delete: (path) => send('DELETE', path),
    lastVersion: () => Number(lastVersion ?? NaN),
  };
}
