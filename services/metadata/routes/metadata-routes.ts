import { Router } from 'express';
import { AppError } from '../../shared/errors/app-error.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { inSlot } from '../../shared/slots/in-slot.ts';
import type { OrganisationSlots } from '../../shared/slots/organisation-slots.ts';
import { getMetadata, getMetadataHistory } from './get-metadata.ts';
import { putMetadata } from './put-metadata.ts';

/** All routes of openapi/metadata.yaml. `onChange` is called when history has changed. */
export function metadataRoutes(
  database: Database,
  onChange: () => void,
  listingSlots: OrganisationSlots,
): Router {
  const routes = Router();
  routes.put('/metadata', putMetadata(database, onChange));
  routes.get('/metadata/:field/:value', inSlot(listingSlots, getMetadata(database)));
  routes.get('/metadata/:field/:value/history', inSlot(listingSlots, getMetadataHistory(database)));
  // Part of the contract: clients use it to test their error handling.
  routes.get('/response-internal-server-error', () => {
    throw new AppError('UNKNOWN_ERROR');
  });
  return routes;
}
