import { Router } from 'express';
import { AppError } from '../../shared/errors/app-error.ts';
import type { Logger } from '../../shared/logging/create-logger.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { inSlot } from '../../shared/slots/in-slot.ts';
import type { OrganisationSlots } from '../../shared/slots/organisation-slots.ts';
import { deleteMetadata } from './delete-metadata.ts';
import { getErasure } from './get-erasure.ts';
import { getMetadata, getMetadataHistory } from './get-metadata.ts';
import { putMetadata } from './put-metadata.ts';

interface RouteTools {
  readonly database: Database;
  readonly logger: Logger;
  readonly listingSlots: OrganisationSlots;
  /** Called when history has changed. */
  readonly onChange: () => void;
  /** Called when an erasure was requested. */
  readonly onErasure: () => void;
}

/** All routes of openapi/metadata.yaml. */
export function metadataRoutes(tools: RouteTools): Router {
  const { database, logger, listingSlots, onChange, onErasure } = tools;
  const routes = Router();
  routes.put('/metadata', putMetadata(database, onChange));
  routes.get('/metadata/:field/:value', inSlot(listingSlots, getMetadata(database)));
  routes.get('/metadata/:field/:value/history', inSlot(listingSlots, getMetadataHistory(database)));
  routes.delete('/metadata/:field/:value', deleteMetadata(database, logger, onErasure));
  routes.get('/erasures/:id', inSlot(listingSlots, getErasure(database)));
  // Part of the contract: clients use it to test their error handling.
  routes.get('/response-internal-server-error', () => {
    throw new AppError('UNKNOWN_ERROR');
  });
  return routes;
}
