import { context, propagation, SpanKind } from '@opentelemetry/api';
import type { NextFunction, Request, Response } from 'express';
import { requestIdOf, setTraceId } from '../http/request-context.ts';
import { routePattern } from '../http/request-metrics.ts';
import { tracer } from './traced.ts';

/**
 * Starts the server span of a request, within the client's trace if it sent a `traceparent`. Records
 * route patterns, not paths: a path contains agent ids, and an export link its signature.
 */
export function traceRequest(req: Request, res: Response, next: NextFunction): void {
  const parent = propagation.extract(context.active(), req.headers);
  const attributes = {
    'http.request.method': req.method,
    'netpanel.request_id': requestIdOf(res),
  };
  tracer.startActiveSpan(req.method, { kind: SpanKind.SERVER, attributes }, parent, (span) => {
    setTraceId(res, span.spanContext());
    res.once('close', () => {
      const route = routePattern(req);
      if (route !== 'none') {
        span.updateName(`${req.method} ${route}`);
        span.setAttribute('http.route', route);
      }
      span.setAttribute('http.response.status_code', res.statusCode);
      if (!res.writableFinished) span.setAttribute('netpanel.aborted', true);
      span.end();
    });
    next();
  });
}
