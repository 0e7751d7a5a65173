import { Router } from 'express';
import { inSlot } from '../../shared/slots/in-slot.ts';
import { deleteMetadata, getErasure } from './delete-metadata.ts';
import { getAgent, getAgents, getChanges } from './get-agents.ts';
import { getMetadata, getMetadataHistory } from './get-metadata.ts';
import type { MetadataTools } from './metadata-tools.ts';
import { putMetadata, requireJson } from './put-metadata.ts';
import { AppError } from '../../shared/errors/app-error.ts';
import { leaveUnmeasured } from '../../shared/http/request-metrics.ts';

/** All routes of openapi/metadata.yaml. */
export function metadataRoutes(tools: MetadataTools): Router {
  const { requests, slots, listingSlots } = tools;
  const routes = Router();
  // In a slot before a connection is taken: a queue of one organisation must not hold those of others. A client that
  // disconnects while it is queued may send the change again. One that has begun is completed.
  routes.put('/metadata', requireJson, inSlot(slots, putMetadata(tools)));
  routes.get('/metadata/:field/:value', inSlot(listingSlots, getMetadata(requests)));
  routes.get('/metadata/:field/:value/history', inSlot(listingSlots, getMetadataHistory(requests)));
  routes.get('/metadata/:field/:value/changes', inSlot(listingSlots, getChanges(requests)));
  routes.delete('/metadata/:field/:value', inSlot(slots, deleteMetadata(tools)));
  routes.get('/agents', inSlot(listingSlots, getAgents(requests)));
  routes.get('/agents/:field/:value', inSlot(listingSlots, getAgent(requests)));
  routes.get('/erasures/:id', inSlot(listingSlots, getErasure(requests)));
  return routes;
}

/**
 * Part of the contract: clients use it to test their error handling, with and without a token. Not measured, because
 * anyone could trigger the alert on failed requests.
 */
export function internalServerError(): Router {
  const routes = Router();
  routes.get('/response-internal-server-error', (_req, res) => {
    leaveUnmeasured(res);
    throw new AppError('UNKNOWN_ERROR');
  });
  return routes;
}
