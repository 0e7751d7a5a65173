import type { RequestHandler, Response } from 'express';
import { sendOk, type SuccessBody } from '../../shared/http/envelope.ts';
import { callerOf } from '../../shared/http/request-context.ts';
import { auditContextOf } from '../audit/audit-context.ts';
import type { MetricData } from '../listing/data-of-metrics.ts';
import { listedFilter, listedSplit } from '../listing/listed-field.ts';
import {
  type VisibleField,
  usableFields,
  visibleFilters,
  visibleMetrics,
  visibleTests,
} from '../listing/visible-catalog.ts';
import { metadataVersionsOf, metadataWarnings } from './metadata-version.ts';
import { type CallerAccess, callerAccess, type QueryTools } from './query-tools.ts';
import { fieldsOf } from '../../catalog/fields.ts';
import type { Metric } from '../../catalog/metric.ts';
import { publicLink } from '../settings/public-url.ts';

export function getMetrics(tools: QueryTools): RequestHandler {
  return listing(tools, async (access, { search }, res) => {
    const visible = visibleMetrics(access, search);
    const data = await tools.dataOfMetrics(callerOf(res).organisationId, visible);
    return {
      data: visible.map((metric) => ({
        ...listedMetric(metric),
        ...shownData(data.get(metric.key), access.minAgents),
      })),
    };
  });
}

/** A privacy floor hides counts below it, and the days of so few households. */
function shownData(data: MetricData | undefined, floor: number) {
  if (data === undefined) return { from: null, to: null, households: 0, reportingHouseholds: 0 };
  if (data.households < floor) {
    return { from: null, to: null, households: null, reportingHouseholds: null };
  }
  const { reportingHouseholds: reporting } = data;
  return { ...data, reportingHouseholds: reporting < floor ? null : reporting };
}

export function getSplits(tools: QueryTools): RequestHandler {
  return listing(tools, async (access, { search, numeric }, res) => {
    const fields = usableFields(access, search);
    const mapField = await tools.regionMaps.fieldOf(callerOf(res));
    const list = (one: VisibleField) => listedSplit(one, mapField);
    if (String(numeric) !== 'true') return { data: fields.map(list) };
    const { organisationId } = callerOf(res);
    const { published } = metadataVersionsOf(res);
    const ranges = await tools.numberRanges(organisationId, published, access.customKeys);
    const withNumbers = fields.filter(
      ({ field: { source } }) => source.kind === 'custom' && ranges.has(source.key),
    );
    return { data: withNumbers.map(list) };
  });
}

export function getFilters(tools: QueryTools): RequestHandler {
  return listing(tools, async (access, { search }, res) => {
    const mapField = await tools.regionMaps.fieldOf(callerOf(res));
    return {
      data: visibleFilters(access, search).map((visible) =>
        listedFilter(visible, (path) => publicLink(tools.config, path), mapField),
      ),
    };
  });
}

/** The contract requires that `data` has only keys. Their names are in another field. */
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
type List = (
  access: CallerAccess,
  query: ListingQuery,
  res: Response,
) => Listing | Promise<Listing>;

function listing(tools: QueryTools, list: List): RequestHandler {
  return async (req, res) => {
    const access = await callerAccess(tools, res);
    const body = await list(access, req.query as ListingQuery, res);
    auditContextOf(res).cost.rows = body.data.length;
    await sendOk(res, { ...body, warnings: metadataWarnings(res) });
  };
}

/** A metric in the response of GET /metrics, with its SQL. */
function listedMetric(metric: Metric) {
  const fields = fieldsOf(metric).map(({ name }) => name);
  return {
    key: metric.key,
    name: metric.name,
    unit: metric.unit,
    better: metric.better,
    description: metric.description,
    keywords: metric.keywords,
    aliases: metric.aliases,
    test: metric.test,
    chartTypes: metric.raw ? ['raw', 'aggregate'] : ['aggregate'],
    madeOf: {
      ...measureOf(metric),
      results: metric.existsWhen,
      prefilter: metric.prefilter,
      everyHours: metric.everyHours,
    },
    splits: fields,
    filters: fields,
  };
}

function measureOf({ measure }: Metric) {
  return measure.kind === 'value'
    ? { value: measure.value }
    : { numerator: measure.numerator, denominator: measure.denominator };
}
