import type { NextFunction, Request, Response } from 'express';

/** Responses are private: no caching by proxies, no MIME sniffing, no framing. */
export function securityHeaders(req: Request, res: Response, next: NextFunction): void {
  res.set({
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
  });
  // If a proxy terminates TLS, the proxy must set this header.
  if (req.secure) res.set('Strict-Transport-Security', 'max-age=31536000');
  next();
}
