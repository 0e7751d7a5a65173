import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Request, type Response, Router } from 'express';

interface StaticFilesParts {
  /** Absolute file by path: `{ '/docs': '…/index.html', '/docs/viewer.js': '…/viewer.js' }`. */
  readonly files: Readonly<Record<string, string>>;
  /** Sent with every one of them. */
  readonly contentSecurityPolicy: string;
  /** Kept by the browser and asked about each time, so an upgrade shows at once; unless told otherwise. */
  readonly cacheControl?: string;
}

/**
 * Files that need no token, served at fixed paths. They are read once, at the start: a missing one
 * stops the service there, and no request can name a file that is not in the list.
 */
export function staticFiles({
  files,
  contentSecurityPolicy,
  cacheControl = 'no-cache',
}: StaticFilesParts): Router {
  const routes = Router();
  for (const [path, file] of Object.entries(files)) {
    const { type, plain, gzipped, etag } = readStaticFile(file);
    routes.get(path, (req: Request, res: Response) => {
      res.set({
        'Content-Security-Policy': contentSecurityPolicy,
        'Referrer-Policy': 'no-referrer',
        'Cache-Control': cacheControl,
        ETag: etag,
        Vary: 'Accept-Encoding',
      });
      res.type(type);
      if (req.acceptsEncodings('gzip', 'identity') !== 'gzip') {
        res.send(plain);
        return;
      }
      res.set('Content-Encoding', 'gzip').send(gzipped);
    });
  }
  return routes;
}

interface LoadedFile {
  readonly type: string;
  readonly plain: Buffer;
  readonly gzipped: Buffer;
  /** Weak, since it names the content whether it is sent compressed or not. */
  readonly etag: string;
}

function readStaticFile(file: string): LoadedFile {
  const plain = readFileSync(file);
  const digest = createHash('sha256').update(plain).digest('base64url');
  return { type: extname(file), plain, gzipped: gzipSync(plain), etag: `W/"${digest}"` };
}
