import type { NextFunction, Request, Response } from 'express';

/** Answers are private figures: not to be cached by a proxy, sniffed, or framed. */
export function securityHeaders(_req: Request, res: Response, next: NextFunction): void {
  res.set({
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
  });
  next();
}
