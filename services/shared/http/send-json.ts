import type { Response } from 'express';
import { encoded } from './encoded.ts';

/** Sends a JSON text with its length, compressed if the client accepts it and it is not small. */
export async function sendJson(res: Response, text: string): Promise<void> {
  const { encoding, chunks } = await encoded(res.req, oneChunk(Buffer.from(text)));
  const body: Buffer[] = [];
  for await (const chunk of chunks) body.push(chunk);
  res.type('json').vary('Accept-Encoding');
  if (encoding !== undefined) res.set('Content-Encoding', encoding);
  res.send(Buffer.concat(body));
}

// eslint-disable-next-line @typescript-eslint/require-await -- encoded reads asynchronous streams
async function* oneChunk(chunk: Buffer): AsyncGenerator<Buffer> {
  yield chunk;
}
