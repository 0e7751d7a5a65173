import { Router } from 'express';
import { AppError } from '../../shared/errors/app-error.ts';

/** Part of the contract: clients use it to test their error handling, with and without a token. */
export function internalServerError(): Router {
  const routes = Router();
  routes.get('/response-internal-server-error', () => {
    throw new AppError('UNKNOWN_ERROR');
  });
  return routes;
}
