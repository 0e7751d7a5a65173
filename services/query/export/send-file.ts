import type { Request, Response } from 'express';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { AppError } from '../../shared/errors/app-error.ts';
import type { ByteRange, ObjectStore, StoredFile } from '../../shared/object-store/object-store.ts';

/** Sends a stored file: the requested range, or the whole file, compressed if the client accepts gzip. */
export async function sendFile(
  req: Request,
  res: Response,
  store: ObjectStore,
  file: StoredFile,
): Promise<void> {
  const size = await store.sizeOf(file.key);
  if (size === undefined) throw new AppError('NOT_FOUND');
  res.set({
    'Content-Type': file.contentType,
    'Content-Disposition': `attachment; filename="${file.fileName}"`,
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'private, no-transform',
    Vary: 'Accept-Encoding',
  });
  const range = requestedRange(req, size);
  if (range === 'unsatisfiable') {
    res.status(416).set('Content-Range', `bytes */${size}`).end();
  } else if (range !== undefined) {
    const { first, last } = range;
    res.status(206).set('Content-Range', `bytes ${first}-${last}/${size}`);
    res.set('Content-Length', String(last - first + 1));
    await sendContent(req, res, async () => [await store.read(file.key, range)]);
  } else if (isText(file) && req.acceptsEncodings('gzip', 'identity') === 'gzip') {
    res.set('Content-Encoding', 'gzip');
    await sendContent(req, res, async () => [await store.read(file.key), createGzip()]);
  } else {
    res.set('Content-Length', String(size));
    await sendContent(req, res, async () => [await store.read(file.key)]);
  }
}

/** The requested byte range; undefined for the whole file. Multiple ranges are not supported. */
function requestedRange(req: Request, size: number): ByteRange | 'unsatisfiable' | undefined {
  const ranges = req.range(size);
  // `bytes=-100` of 10 bytes is the whole file (RFC 9110, 14.1.2), but unsatisfiable for Express.
  if (ranges === -1) {
    return size > 0 && /^bytes=-0*[1-9]/.test(req.get('range') ?? '') ? undefined : 'unsatisfiable';
  }
  if (!Array.isArray(ranges) || ranges.type !== 'bytes' || ranges.length > 1) return undefined;
  const [range] = ranges;
  return range === undefined ? undefined : { first: range.start, last: range.end };
}

async function sendContent(
  req: Request,
  res: Response,
  open: () => Promise<(NodeJS.ReadableStream | NodeJS.ReadWriteStream)[]>,
): Promise<void> {
  if (req.method === 'HEAD') {
    res.end();
    return;
  }
  try {
    await pipeline([...(await open()), res]);
  } catch (error) {
    // The client has disconnected, or the response was destroyed: it does not look complete.
    if (!res.destroyed) throw error;
  }
}

// The other formats are already compressed.
function isText({ contentType }: StoredFile): boolean {
  return contentType.startsWith('text/');
}
