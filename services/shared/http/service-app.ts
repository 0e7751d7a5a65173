import express, {
  type Express,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
  type Router,
} from 'express';
import type { TrustedProxies } from '../config/setting.ts';
import type { Logger } from '../logging/create-logger.ts';
import { errorHandler, unknownRoute } from './error-handler.ts';
import {
  assignRequestId,
  knownCallerOf,
  logFieldsOf,
  requestIdOf,
  setTraceId,
} from './request-context.ts';
import { routePattern } from './request-metrics.ts';
import { context, propagation, SpanKind } from '@opentelemetry/api';
import { tracer } from '../tracing/traced.ts';

interface ServiceAppParts {
  readonly logger: Logger;
  /** Measures requests; comes before everything that can respond. */
  readonly measure: RequestHandler;
  readonly routes: Router;
  /** Whose X-Forwarded-For is trusted. */
  readonly trustProxy: TrustedProxies;
}

/** The middleware of both services, in order. */
export function serviceApp({ logger, measure, routes, trustProxy }: ServiceAppParts): Express {
  const app = express();
  app.set('trust proxy', trustProxy);
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.use(assignRequestId);
  app.use(traceRequest);
  app.use(accessLog(logger));
  app.use(measure);
  app.use(securityHeaders);
  app.use(routes);
  app.use(unknownRoute);
  app.use(errorHandler(logger));
  return app;
}

/**
 * Logs one line per request when its response has ended or the client has disconnected. Logs the route
 * and not the path, which contains agent ids and MAC addresses.
 */
function accessLog(logger: Logger): RequestHandler {
  return (req: Request, res: Response, next: NextFunction) => {
    const startedAt = process.hrtime.bigint();
    logger.debug('request received', logFieldsOf(res));
    res.on('close', () => {
      logger.info('request', {
        ...logFieldsOf(res),
        method: req.method,
        route: routePattern(req),
        status: res.statusCode,
        durationMs: Number(process.hrtime.bigint() - startedAt) / 1e6,
        organisation: knownCallerOf(res)?.organisationName,
        // The response is incomplete: the client disconnected, or an error closed the connection.
        ...(res.writableFinished ? {} : { aborted: true }),
      });
    });
    next();
  };
}

/** Responses are private: no caching by proxies, no MIME sniffing, no framing. */
function securityHeaders(req: Request, res: Response, next: NextFunction): void {
  res.set({
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
  });
  // If a proxy terminates TLS, the proxy must set this header.
  if (req.secure) res.set('Strict-Transport-Security', 'max-age=31536000');
  next();
}

/**
 * Starts the server span of a request, within the client's trace if it sent a `traceparent`. Records
 * route patterns, not paths: a path contains agent ids, and an export link its signature.
 */
function traceRequest(req: Request, res: Response, next: NextFunction): void {
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
