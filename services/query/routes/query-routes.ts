import { type RequestHandler, Router } from 'express';
import { audited, type AuditedHandler } from '../audit/audited.ts';
import { inSlot } from '../../shared/slots/in-slot.ts';
import { deleteExport, getExport } from './exports.ts';
import { getFilterValues } from './get-filter-values.ts';
import { getFilters, getMetrics, getSplits, getTests } from './get-listings.ts';
import { metadataVersion } from './metadata-version.ts';
import { explainMetricData, explainTestData } from './post-explain.ts';
import { exportMetricData, exportTestData } from './post-export.ts';
import { postMetricData } from './post-metric-data.ts';
import { postTestData } from './post-test-data.ts';
import type { QueryTools } from './query-tools.ts';
import { deleteView, getView, getViews, patchView, postView } from './views.ts';

/** Every route of the data interface, in the order of openapi/query.yaml. */
export function queryRoutes(tools: QueryTools): Router {
  const routes = Router();
  const { listingSlots } = tools;
  const versioned = metadataVersion(tools.metadata);
  const post = (path: string, handler: AuditedHandler) =>
    routes.post(path, versioned, audited(handler));
  const list = (path: string, handler: RequestHandler) =>
    routes.get(path, versioned, inSlot(listingSlots, handler));
  post('/metric_data', postMetricData(tools));
  post('/metric_data/explain', explainMetricData(tools));
  post('/test_data', postTestData(tools));
  post('/test_data/explain', explainTestData(tools));
  post('/metric_data.csv', exportMetricData(tools, 'csv'));
  post('/test_data.csv', exportTestData(tools, 'csv'));
  post('/metric_data_download', exportMetricData(tools, 'download'));
  post('/test_data_download', exportTestData(tools, 'download'));
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
  return routes;
}
