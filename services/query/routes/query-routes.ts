import { Router } from 'express';
import { auditRequest } from '../audit/audit-request.ts';
import { deleteExport, getExport } from './exports.ts';
import { getFilterValues } from './get-filter-values.ts';
import { getFilters, getMetrics, getSplits, getTests } from './get-listings.ts';
import { explainMetricData, explainTestData } from './post-explain.ts';
import { exportMetricData, exportTestData } from './post-export.ts';
import { postMetricData } from './post-metric-data.ts';
import { postTestData } from './post-test-data.ts';
import type { QueryTools } from './query-tools.ts';

/** Every route of the data interface, in the order of openapi/query.yaml. */
export function queryRoutes(tools: QueryTools): Router {
  const audited = auditRequest(tools.audit);
  const routes = Router();
  routes.post('/metric_data', audited, postMetricData(tools));
  routes.post('/metric_data/explain', audited, explainMetricData(tools));
  routes.post('/test_data', audited, postTestData(tools));
  routes.post('/test_data/explain', audited, explainTestData(tools));
  routes.post('/metric_data.csv', audited, exportMetricData(tools, 'csv'));
  routes.post('/test_data.csv', audited, exportTestData(tools, 'csv'));
  routes.post('/metric_data_download', audited, exportMetricData(tools, 'download'));
  routes.post('/test_data_download', audited, exportTestData(tools, 'download'));
  routes.get('/exports/:id', getExport(tools));
  routes.delete('/exports/:id', deleteExport(tools));
  routes.get('/metrics', getMetrics(tools));
  routes.get('/tests', getTests(tools));
  routes.get('/splits', getSplits(tools));
  routes.get('/filters', getFilters(tools));
  routes.get('/filters/:id/values', getFilterValues(tools));
  return routes;
}
