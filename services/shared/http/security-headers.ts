import type { NextFunction, Request, Response } from 'express';

/** Answers are private figures: not to be cached by a proxy, sniffed, or framed. */
export function securityHeaders(req: Request, res: Response, next: NextFunction): void {
  res.set({
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
  });
  // Where a proxy ends TLS instead, this is the proxy's to say.
  if (req.secure) res.set('Strict-Transport-Security', 'max-age=31536000');
  next();
}
