import express, { type Express, type RequestHandler, type Router } from 'express';
import type { TrustedProxies } from '../config/setting.ts';
import type { Logger } from '../logging/create-logger.ts';
import { traceRequest } from '../tracing/trace-request.ts';
import { accessLog } from './access-log.ts';
import { errorHandler, unknownRoute } from './error-handler.ts';
import { assignRequestId } from './request-context.ts';
import { securityHeaders } from './security-headers.ts';

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
