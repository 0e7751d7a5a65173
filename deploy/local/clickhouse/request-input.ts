import type { IncomingMessage } from 'node:http';
import { requestBody } from './request-body.ts';
import { notImplemented } from './server-exception.ts';

export interface RequestInput {
  readonly body: Uint8Array;
  /** Fields of a multipart form: further parameters, such as `query` and `param_*`. */
  readonly fields: readonly [string, string][];
}

/** Reads the body. Some clients send parameters that are too long for a URL as a multipart form. */
export async function requestInput(req: IncomingMessage, inBlocks: boolean): Promise<RequestInput> {
  const body = await requestBody(req, inBlocks);
  const contentType = req.headers['content-type'] ?? '';
  if (!contentType.startsWith('multipart/form-data')) return { body, fields: [] };
  // Deprecated because it has no size limit; requestBody has one.
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  const form = await new Response(body, { headers: { 'content-type': contentType } }).formData();
  const fields = [...form].map(([name, value]): [string, string] => {
    if (typeof value !== 'string') throw notImplemented(`external tables (the file ${name})`);
    return [name, value];
  });
  return { body: new Uint8Array(0), fields };
}
