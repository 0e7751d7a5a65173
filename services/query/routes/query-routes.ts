import { type RequestHandler, Router } from 'express';
import { inSlot } from '../../shared/slots/in-slot.ts';
import { metricData, testData } from './data-kinds.ts';
import { deleteExport, getExport } from './exports.ts';
import { getFilterValues } from './get-filter-values.ts';
import { getFilters, getMetrics, getSplits, getTests } from './get-listings.ts';
import { metadataVersion } from './metadata-version.ts';
import { explainData, postData } from './post-data.ts';
import { exportData } from './post-export.ts';
import type { QueryTools } from './query-tools.ts';
import { deleteRegionMap, getRegionMap, putRegionMap } from './region-map.ts';
import { deleteView, getView, getViews, patchView, postView } from './views.ts';

/** Every route of the data interface. */
export function queryRoutes(tools: QueryTools): Router {
  const routes = Router();
  const { listingSlots } = tools;
  const versioned = metadataVersion(tools.metadata);
  const post = (path: string, handler: RequestHandler) => routes.post(path, versioned, handler);
  const list = (path: string, handler: RequestHandler) =>
    routes.get(path, versioned, inSlot(listingSlots, handler));
  for (const data of [metricData, testData]) {
    post(`/${data.kind}`, postData(tools, data));
    post(`/${data.kind}/explain`, explainData(tools, data));
    post(`/${data.kind}.csv`, exportData(tools, data, 'csv'));
    post(`/${data.kind}_download`, exportData(tools, data, 'download'));
  }
  routes.get('/exports/:id', inSlot(listingSlots, getExport(tools)));
  routes.delete('/exports/:id', deleteExport(tools));
  list('/metrics', getMetrics(tools));
  list('/tests', getTests(tools));
  list('/splits', getSplits(tools));
  list('/filters', getFilters(tools));
  routes.get('/filters/:id/values', versioned, inSlot(listingSlots, getFilterValues(tools)));
  routes.get('/views', inSlot(listingSlots, getViews(tools.views)));
  routes.post('/views', inSlot(listingSlots, postView(tools.views)));
  routes.get('/views/:id', inSlot(listingSlots, getView(tools.views)));
  routes.patch('/views/:id', inSlot(listingSlots, patchView(tools.views)));
  routes.delete('/views/:id', inSlot(listingSlots, deleteView(tools.views)));
  routes.get('/region-map', inSlot(listingSlots, getRegionMap(tools)));
  routes.put('/region-map', versioned, inSlot(listingSlots, putRegionMap(tools)));
  routes.delete('/region-map', inSlot(listingSlots, deleteRegionMap(tools)));
  return routes;
}
