import { once } from 'node:events';
import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

interface SentRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface UndecodedResponse {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly content: Buffer;
}

/** A response with the bytes that were sent: fetch would decompress them, and ask for compression. */
export async function undecodedResponse(
  url: string,
  { method = 'GET', headers = {}, body }: SentRequest,
): Promise<UndecodedResponse> {
  const sent = request(url, { method, headers });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const content = await buffer(response);
  return { status: response.statusCode, headers: response.headers, content };
}

export function decoded(content: Buffer, encoding: string | undefined): Buffer {
  if (encoding === undefined) return content;
  return encoding === 'gzip' ? gunzipSync(content) : brotliDecompressSync(content);
}
