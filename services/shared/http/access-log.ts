import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Logger } from '../logging/create-logger.ts';
import { knownCallerOf, logFieldsOf } from './request-context.ts';
import { routePattern } from './request-metrics.ts';

/**
 * Logs one line per request when its response has ended or the client has disconnected. Logs the route
 * and not the path, which contains agent ids and MAC addresses.
 */
export function accessLog(logger: Logger): RequestHandler {
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
