import { Router } from 'express';
import { AppError } from '../../shared/errors/app-error.ts';
import { getMetadata, getMetadataHistory } from './get-metadata.ts';
import type { MetadataTools } from './metadata-tools.ts';
import { putMetadata } from './put-metadata.ts';

/** All routes of openapi/metadata.yaml. */
export function metadataRoutes(tools: MetadataTools): Router {
  const routes = Router();
  routes.put('/metadata', putMetadata(tools));
  routes.get('/metadata/:field/:value', getMetadata(tools.requests));
  routes.get('/metadata/:field/:value/history', getMetadataHistory(tools.requests));
  // Part of the contract: clients use it to test their error handling.
  routes.get('/response-internal-server-error', () => {
    throw new AppError('UNKNOWN_ERROR');
  });
  return routes;
}
