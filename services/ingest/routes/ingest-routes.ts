import { Router } from 'express';
import type { IngestTools } from './ingest-tools.ts';
import { postLmapReports } from './post-lmap-reports.ts';
import { postResults } from './post-results.ts';

/** All routes of openapi/ingest.yaml. */
export function ingestRoutes(tools: IngestTools): Router {
  const routes = Router();
  routes.post('/results/:test', postResults(tools));
  routes.post('/lmap/reports', postLmapReports(tools));
  return routes;
}
