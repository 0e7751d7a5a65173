import { context, propagation, SpanKind } from '@opentelemetry/api';
import type { NextFunction, Request, Response } from 'express';
import { requestIdOf, setTraceId } from '../http/request-context.ts';
import { routePattern } from '../http/request-metrics.ts';
import { tracer } from './traced.ts';

/**
 * The root of a request's spans, or a part of the caller's trace when it sent a `traceparent`. No
 * paths, only patterns: a path holds agent ids, and a link to an export its signature.
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
      if (!res.writableFinished) span.setAttribute('netpanel.cut_off', true);
      span.end();
    });
    next();
  });
}
