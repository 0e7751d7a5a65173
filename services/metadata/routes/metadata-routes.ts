import { Router } from 'express';
import { inSlot } from '../../shared/slots/in-slot.ts';
import { deleteMetadata } from './delete-metadata.ts';
import { getAgent, getAgents } from './get-agents.ts';
import { getChanges } from './get-changes.ts';
import { getErasure } from './get-erasure.ts';
import { getMetadata, getMetadataHistory } from './get-metadata.ts';
import type { MetadataTools } from './metadata-tools.ts';
import { putMetadata } from './put-metadata.ts';

/** All routes of openapi/metadata.yaml. */
export function metadataRoutes(tools: MetadataTools): Router {
  const { requests, slots, listingSlots } = tools;
  const routes = Router();
  routes.put('/metadata', putMetadata(tools));
  routes.get('/metadata/:field/:value', inSlot(listingSlots, getMetadata(requests)));
  routes.get('/metadata/:field/:value/history', inSlot(listingSlots, getMetadataHistory(requests)));
  routes.get('/metadata/:field/:value/changes', inSlot(listingSlots, getChanges(requests)));
  routes.delete('/metadata/:field/:value', inSlot(slots, deleteMetadata(tools)));
  routes.get('/agents', inSlot(listingSlots, getAgents(requests)));
  routes.get('/agents/:field/:value', inSlot(listingSlots, getAgent(requests)));
  routes.get('/erasures/:id', inSlot(listingSlots, getErasure(requests)));
  return routes;
}
