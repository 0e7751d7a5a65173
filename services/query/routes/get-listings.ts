import type { RequestHandler } from 'express';
import { sendOk } from '../../shared/http/envelope.ts';
import { auditContextOf } from '../audit/audit-context.ts';
import type { OrganisationAccess } from '../access/access-store.ts';
import { listedFilter, listedSplit } from '../listing/listed-field.ts';
import { listedMetric } from '../listing/listed-metric.ts';
import { visibleFields, visibleMetrics, visibleTests } from '../listing/visible-catalog.ts';
import { callerAccess, type QueryTools } from './query-tools.ts';

export function getMetrics(tools: QueryTools): RequestHandler {
  return listing(tools, (access) => visibleMetrics(access).map(listedMetric));
}

export function getSplits(tools: QueryTools): RequestHandler {
  return listing(tools, (access) => visibleFields(access).map(listedSplit));
}

export function getFilters(tools: QueryTools): RequestHandler {
  return listing(tools, (access) => visibleFields(access).map(listedFilter));
}

export function getTests(tools: QueryTools): RequestHandler {
  return listing(tools, (access, query) => visibleTests(access, query.agents));
}

type ListingQuery = Readonly<Record<string, string | undefined>>;
type List = (access: OrganisationAccess, query: ListingQuery) => readonly unknown[];

function listing(tools: QueryTools, list: List): RequestHandler {
  return async (req, res) => {
    const access = await callerAccess(tools, res);
    const data = list(access, req.query as ListingQuery);
    auditContextOf(res).cost.rows = data.length;
    sendOk(res, { data });
  };
}
