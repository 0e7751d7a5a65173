import type { NextFunction, Request, RequestHandler, Response } from 'express';

/**
 * Lets pages of these origins, with commas between, call the service from a browser (CORS); for all
 * others nothing changes. A browser asks before a request with a token (`OPTIONS`, without the token), so this comes before
 * authentication.
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
      'Access-Control-Expose-Headers': 'X-Request-Id',
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
