import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { metricsOf, type Registry } from '../metrics.ts';

/** Request durations by route and status. Labels are route patterns: a path contains agent ids. */
export function requestMetrics(registry: Registry): RequestHandler {
  const durations = metricsOf(registry).histogram(
    'netpanel_request_duration_seconds',
    'Time from the first byte of a request to the last byte of its response.',
    [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
    'method',
    'route',
    'status',
  );
  return (req: Request, res: Response, next: NextFunction) => {
    const stop = durations.startTimer();
    res.on('close', () => {
      if (unmeasured.has(res)) return;
      stop({ method: req.method, route: routePattern(req), status: res.statusCode });
    });
    next();
  };
}

const unmeasured = new WeakSet<Response>();

/** Leaves a response out of the request durations, and so out of the alerts on them. */
export function leaveUnmeasured(res: Response): void {
  unmeasured.add(res);
}

/** `/metadata/:field/:value`; 'none' if no route matched. */
export function routePattern(req: Request): string {
  const route = req.route as { path?: unknown } | undefined;
  if (typeof route?.path === 'string') return `${req.baseUrl}${route.path}`;
  // A request that the OpenAPI validator has refused did not reach its route.
  const { openapi } = req as { openapi?: { expressRoute?: string } };
  return openapi?.expressRoute ?? 'none';
}
