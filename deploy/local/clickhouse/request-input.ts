import type { IncomingMessage } from 'node:http';
import { requestBody } from './request-body.ts';
import { notImplemented } from './server-exception.ts';

export interface RequestInput {
  readonly body: Uint8Array;
  /** Of a multipart form: further parameters, such as `query` and `param_*`. */
  readonly fields: readonly [string, string][];
}

/** What comes after the headers. Some clients send parameters that are too long for an address as a form. */
export async function requestInput(req: IncomingMessage, inBlocks: boolean): Promise<RequestInput> {
  const body = await requestBody(req, inBlocks);
  const contentType = req.headers['content-type'] ?? '';
  if (!contentType.startsWith('multipart/form-data')) return { body, fields: [] };
  // Deprecated for servers that face the world, since it has no limits; the body was read within one.
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  const form = await new Response(body, { headers: { 'content-type': contentType } }).formData();
  const fields = [...form].map(([name, value]): [string, string] => {
    if (typeof value !== 'string') throw notImplemented(`external tables (the file ${name})`);
    return [name, value];
  });
  return { body: new Uint8Array(0), fields };
}
