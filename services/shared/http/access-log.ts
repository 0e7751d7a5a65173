import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Logger } from '../logging/create-logger.ts';
import { knownCallerOf, logFieldsOf } from './request-context.ts';

/** One line a request when its answer has ended, or when the client left before that. */
export function accessLog(logger: Logger): RequestHandler {
  return (req: Request, res: Response, next: NextFunction) => {
    const startedAt = process.hrtime.bigint();
    logger.debug('request taken', logFieldsOf(res));
    res.on('close', () => {
      logger.info('request', {
        ...logFieldsOf(res),
        method: req.method,
        path: req.path,
        status: res.statusCode,
        durationMs: Number(process.hrtime.bigint() - startedAt) / 1e6,
        organisation: knownCallerOf(res)?.organisationName,
        // Fewer bytes than the answer has: the client left, or the answer was cut off on purpose.
        ...(res.writableFinished ? {} : { cutOff: true }),
      });
    });
    next();
  };
}
