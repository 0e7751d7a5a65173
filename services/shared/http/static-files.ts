import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type Request, type Response, Router } from 'express';

interface StaticFilesParts {
  /** Absolute file name by URL path: `{ '/docs': '…/index.html' }`. */
  readonly files: Readonly<Record<string, string>>;
  /** Sent with every file. */
  readonly contentSecurityPolicy: string;
  /** Default: browsers revalidate the file every time, so an upgrade is visible immediately. */
  readonly cacheControl?: string;
}

/**
 * Serves files at fixed paths, without a token. They are read once, at startup: a missing file is a
 * startup error, and a request cannot access any other file.
 */
export function staticFiles({
  files,
  contentSecurityPolicy,
  cacheControl = 'no-cache',
}: StaticFilesParts): Router {
  const routes = Router();
  for (const [path, file] of Object.entries(files)) {
    const { type, plain, gzipped, etag } = readStaticFile(file);
    routes.get(path, async (req: Request, res: Response) => {
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
      const body = await gzipped();
      res.set('Content-Encoding', 'gzip').send(body);
    });
  }
  return routes;
}

/**
 * The policy of a page that holds the user's token: it runs only our scripts, and connects only to these addresses.
 */
export function pagePolicy(images: string, addresses: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src ${images}`,
    `connect-src ${addresses}`,
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function readStaticFile(file: string) {
  const plain = readFileSync(file);
  const digest = createHash('sha256').update(plain).digest('base64url');
  let compressed: Promise<Buffer> | undefined;
  return {
    type: extname(file),
    plain,
    // On the first request, because compressing Swagger UI would prolong every start.
    gzipped: () => (compressed ??= promisify(gzip)(plain)),
    // Weak, because it is the same for the compressed and the uncompressed file.
    etag: `W/"${digest}"`,
  };
}
