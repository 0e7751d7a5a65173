import { Router } from 'express';
import { AppError } from '../../shared/errors/app-error.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { getMetadata, getMetadataHistory } from './get-metadata.ts';
import { putMetadata } from './put-metadata.ts';

/** All routes of openapi/metadata.yaml. `onChange` is called when history has changed. */
export function metadataRoutes(database: Database, onChange: () => void): Router {
  const routes = Router();
  routes.put('/metadata', putMetadata(database, onChange));
  routes.get('/metadata/:field/:value', getMetadata(database));
  routes.get('/metadata/:field/:value/history', getMetadataHistory(database));
  // Part of the contract: clients use it to test their error handling.
  routes.get('/response-internal-server-error', () => {
    throw new AppError('UNKNOWN_ERROR');
  });
  return routes;
}
