import { documentedAnswers } from './documented-answers.ts';

interface MetadataAnswer {
  readonly status: number;
  readonly body: {
    readonly code: string;
    readonly message: string;
    readonly data?: unknown;
    readonly errors?: Readonly<Record<string, readonly string[]>>;
  };
}

export interface MetadataClient {
  put(body: unknown): Promise<MetadataAnswer>;
  /** A body as it goes over the wire, for what JSON.stringify would not write. */
  putText(body: string, contentType?: string): Promise<MetadataAnswer>;
  get(path: string): Promise<MetadataAnswer>;
}

/** A user of the metadata interface who holds every answer against the OpenAPI document. */
export function metadataClient(baseUrl: string, token: string): MetadataClient {
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
    const answer = { status: reply.status, body: (await reply.json()) as MetadataAnswer['body'] };
    const check = await documentedAnswers('metadata.yaml');
    const request = init.body as string | undefined;
    const problem = await check({ method, path, ...answer, request });
    if (problem !== undefined) {
      throw new Error(`${method} ${path} was answered against the document: ${problem}`);
    }
    return answer;
  };
  const putText = (body: string, contentType = 'application/json') =>
    send('PUT', '/metadata', { body, headers: { 'content-type': contentType } });
  return {
    put: (body) => putText(JSON.stringify(body)),
    putText,
    get: (path) => send('GET', path),
  };
}
