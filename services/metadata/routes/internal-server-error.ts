import { Router } from 'express';
import { AppError } from '../../shared/errors/app-error.ts';
import { leaveUnmeasured } from '../../shared/http/request-metrics.ts';

/**
 * Part of the contract: clients use it to test their error handling, with and without a token. It is not measured:
 * otherwise anyone could raise the alert on failed requests.
 */
export function internalServerError(): Router {
  const routes = Router();
  routes.get('/response-internal-server-error', (_req, res) => {
    leaveUnmeasured(res);
    throw new AppError('UNKNOWN_ERROR');
  });
  return routes;
}
