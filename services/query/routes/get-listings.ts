import type { RequestHandler } from 'express';
import { sendOk, type SuccessBody } from '../../shared/http/envelope.ts';
import { auditContextOf } from '../audit/audit-context.ts';
import { listedFilter, listedSplit } from '../listing/listed-field.ts';
import { listedMetric } from '../listing/listed-metric.ts';
import {
  usableFields,
  visibleFilters,
  visibleMetrics,
  visibleTests,
} from '../listing/visible-catalog.ts';
import { metadataWarnings } from './metadata-version.ts';
import { publicLink } from '../response/public-link.ts';
import { type CallerAccess, callerAccess, type QueryTools } from './query-tools.ts';

export function getMetrics(tools: QueryTools): RequestHandler {
  return listing(tools, (access, { search }) => ({
    data: visibleMetrics(access, search).map(listedMetric),
  }));
}

export function getSplits(tools: QueryTools): RequestHandler {
  return listing(tools, (access, { search }) => ({
    data: usableFields(access, search).map(listedSplit),
  }));
}

export function getFilters(tools: QueryTools): RequestHandler {
  return listing(tools, (access, { search }) => ({
    data: visibleFilters(access, search).map((visible) =>
      listedFilter(visible, (path) => publicLink(tools.config, path)),
    ),
  }));
}

/** The contract wants `data` to be keys only. Their names are beside it. */
export function getTests(tools: QueryTools): RequestHandler {
  return listing(tools, (access, query) => {
    const tests = visibleTests(access, query);
    return {
      data: tests.map(({ key }) => key),
      names: Object.fromEntries(tests.map(({ key, name }) => [key, name])),
    };
  });
}

type ListingQuery = Readonly<Record<string, string | undefined>>;
interface Listing extends SuccessBody {
  readonly data: readonly unknown[];
}
type List = (access: CallerAccess, query: ListingQuery) => Listing;

function listing(tools: QueryTools, list: List): RequestHandler {
  return async (req, res) => {
    const access = await callerAccess(tools, res);
    const body = list(access, req.query as ListingQuery);
    auditContextOf(res).cost.rows = body.data.length;
    await sendOk(res, { ...body, warnings: metadataWarnings(res) });
  };
}
