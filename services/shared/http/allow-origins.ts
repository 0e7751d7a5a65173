import type { NextFunction, Request, RequestHandler, Response } from 'express';

/**
 * CORS for a comma-separated list of origins. Must come before authentication: browsers send a
 * preflight request (`OPTIONS`) without the token.
 */
export function allowOrigins(origins: string): RequestHandler {
  const allowed = origins.split(',').filter((origin) => origin !== '');
  return (req: Request, res: Response, next: NextFunction) => {
    if (allowed.length > 0) res.vary('Origin');
    const origin = req.get('origin');
    if (origin === undefined || !allowed.includes(origin)) {
      next();
      return;
    }
    res.set({
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Expose-Headers': exposedHeaders,
    });
    if (req.method !== 'OPTIONS' || req.get('access-control-request-method') === undefined) {
      next();
      return;
    }
    res
      .set({
        'Access-Control-Allow-Methods': 'GET, PUT',
        'Access-Control-Allow-Headers': 'Authorization, Content-Type, X-Request-Id',
        'Access-Control-Max-Age': '600',
      })
      .status(204)
      .end();
  };
}

/** Scripts of other origins cannot read the rest. */
const exposedHeaders = [
  'X-Request-Id',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Link',
  'Netpanel-Metadata-Version',
  'Netpanel-Warnings',
  'Netpanel-Clock',
].join(', ');
