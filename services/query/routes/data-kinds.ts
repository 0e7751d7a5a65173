import type { Request, Response } from 'express';
import type { TestKey } from '../../catalog/test-tables.ts';
import type { Warning } from '../../shared/errors/warnings.ts';
import { callerOf } from '../../shared/http/request-context.ts';
import { traced } from '../../shared/tracing/traced.ts';
import type { StorableAnswer } from '../cache/keyed-pieces.ts';
import { isStorable } from '../cache/plan-pieces.ts';
import { compileMetricQuery } from '../compiler/compile-metric-query.ts';
import { compileTestQuery } from '../compiler/compile-test-query.ts';
import type { CompiledQuery } from '../compiler/compiled-query.ts';
import { organisationRows } from '../execution/organisation-rows.ts';
import type { QueryRequest } from '../execution/query-request.ts';
import type { ExportKind } from '../export/export-record.ts';
import { emptyAnswerWarnings } from '../warnings/empty-answer-warnings.ts';
import { maskedValueWarnings } from '../warnings/masked-value-warnings.ts';
import { unknownValueWarnings } from '../warnings/unknown-value-warnings.ts';
import { visibleMetrics, visibleTests } from '../listing/visible-catalog.ts';
import { fieldsWithMethod } from '../request/canonical-request.ts';
import { knownAtMoment } from '../request/fields/known-at.ts';
import { numberKeys, usesReplicates } from '../request/fields/relative-to.ts';
import { usesAgentSets } from '../request/fields/splits-and-filters.ts';
import type { MetricQuery } from '../request/metric-query.ts';
import { isObject } from '../request/request-body.ts';
import type { BucketRange } from '../request/selection.ts';
import type { ParseContext } from '../request/parse-context.ts';
import { parseMetricQuery } from '../request/parse-metric-query.ts';
import { parseTestQuery } from '../request/parse-test-query.ts';
import type { WarningList } from '../response/frame-rows.ts';
import type { ResponseFormat } from '../response/response-format.ts';
import { extremeZones, needsZones, wholeBuckets } from '../response/whole-buckets.ts';
import { metadataVersionsOf, metadataWarnings } from './metadata-version.ts';
import { callerAccess, type QueryTools } from './query-tools.ts';

/** A request for data that is ready to run, or to be explained or exported. */
export interface DataRequest {
  readonly compiled: CompiledQuery;
  readonly warnings: WarningList;
  readonly isRowPerResult: boolean;
  /** Further warnings of an answer without rows. Never rejects. */
  readonly ifEmpty: (request: QueryRequest) => Promise<readonly Warning[]>;
  /** Absent if the answer is not stored. */
  readonly storable?: Pick<StorableAnswer, 'query' | 'options' | 'now'>;
  /** Points of other buckets are marked; in CSV the query does that. Absent: no point is. */
  readonly whole?: readonly BucketRange[];
}

/** What is requested: metric data or test data. */
export interface DataKind {
  readonly kind: ExportKind;
  /** Reads what parsing depends on. The function that it returns parses and compiles a body. */
  readonly reader: (
    tools: QueryTools,
    req: Request,
    res: Response,
  ) => Promise<(body: unknown, format: ResponseFormat) => Promise<DataRequest>>;
}

export const metricData: DataKind = {
  kind: 'metric_data',
  async reader(tools, req, res) {
    const context = await metricContext(tools, req, res);
    return compiling(async (body, format) => {
      const query = parseMetricQuery(body, context);
      const warnings = warningsOf(tools, query);
      const whole = await wholeBucketsOf(tools, res, query, context.now);
      const options = { numberLists: format === 'json' ? 'objects' : 'columns' } as const;
      // Other formats are stored, or share what is stored, so their points are marked afterwards.
      const marked = format === 'csv' && whole && { whole };
      return {
        compiled: compileMetricQuery(query, { ...options, ...marked }),
        warnings,
        isRowPerResult: query.chartType === 'raw',
        ifEmpty: (request) =>
          emptyAnswerWarnings(tools, query.metric, visibleMetrics(context), request),
        ...(isStorable(query) && { storable: { query, options, now: context.now } }),
        ...(whole && { whole }),
      };
    });
  },
};

export const testData: DataKind = {
  kind: 'test_data',
  async reader(tools, _req, res) {
    const context = await commonContext(tools, res);
    const anyRow = (key: string) => ({ key, test: key as TestKey, existsWhen: '1' });
    return compiling((body) => {
      const query = parseTestQuery(body, context);
      const visible = () => visibleTests(context, {}).map(({ key }) => anyRow(key));
      return {
        compiled: compileTestQuery(query),
        warnings: query.warnings,
        isRowPerResult: true,
        ifEmpty: (request) => emptyAnswerWarnings(tools, anyRow(query.test), visible(), request),
      };
    });
  },
};

type Compile = (body: unknown, format: ResponseFormat) => DataRequest | Promise<DataRequest>;

function compiling(compile: Compile) {
  return async (body: unknown, format: ResponseFormat) =>
    await traced('compile', {}, () => compile(body, format));
}

/** With the metadata of each `knownAt`, and the custom keys that it had. */
async function metricContext(
  tools: QueryTools,
  { body }: Request,
  res: Response,
): Promise<ParseContext> {
  const common = await commonContext(tools, res);
  const { organisationId } = common;
  const find = async (part: unknown, field: string) => {
    const moment = knownAtMoment(part, common.now);
    return moment && (await tools.knownMetadata.find(organisationId, moment, field));
  };
  const known = await find(body, 'knownAt');
  const compared = isObject(body) ? await find(body.compare, 'compare[knownAt]') : undefined;
  const keysOf = [common, known, compared].flatMap((one) => one?.customKeys ?? []);
  const customKeys = [...new Set(keysOf)];
  const context = {
    ...common,
    ...(known && { knownAt: known.knownAt }),
    ...(compared && { comparedKnownAt: compared.knownAt }),
    customKeys,
    agentSets: usesAgentSets(body) ? await agentSetsOf(tools, organisationId) : [],
    ...(usesReplicates(fieldsWithMethod(body)) && {
      replicateCopies: await replicateCopiesOf(tools, organisationId),
    }),
  };
  const keys = numberKeys(fieldsWithMethod(body)).filter((key) => customKeys.includes(key));
  if (keys.length === 0) return context;
  const { published } = metadataVersionsOf(res);
  const numberRanges =
    known === undefined
      ? await tools.numberRanges(organisationId, published, keys)
      : await tools.knownMetadata.customNumbers(organisationId, known.knownAt, published, keys);
  return { ...context, numberRanges };
}

async function agentSetsOf({ clickhouse }: QueryTools, organisationId: number) {
  const sets = await organisationRows<{ name: string }>(
    clickhouse,
    organisationId,
    'SELECT name FROM agent_set_current WHERE organisation_id = {organisation:UInt32} ORDER BY name',
  );
  return sets.map(({ name }) => name);
}

async function replicateCopiesOf({ clickhouse }: QueryTools, organisationId: number) {
  const copies = await organisationRows<{ name: string; copy: string }>(
    clickhouse,
    organisationId,
    `SELECT name, argMax(copy, copied_at) AS copy
FROM weight_replicate_copy
WHERE organisation_id = {organisation:UInt32}
GROUP BY name
HAVING NOT argMax(is_removed, copied_at)`,
  );
  return new Map(copies.map(({ name, copy }) => [name, copy]));
}

async function commonContext(tools: QueryTools, res: Response): Promise<ParseContext> {
  return {
    organisationId: callerOf(res).organisationId,
    ...(await callerAccess(tools, res)),
    metadataWarnings: metadataWarnings(res),
    now: tools.clock.now(),
    numberRanges: new Map(),
    agentSets: [],
    replicateCopies: new Map(),
    limits: tools.config,
  };
}

/** Starts the checks that run in parallel with a query, and returns its warnings. Never rejects. */
async function warningsOf(tools: QueryTools, query: MetricQuery): Promise<readonly Warning[]> {
  const [found, masked] = await Promise.all([
    valueWarnings(tools, query),
    maskedValueWarnings(tools, query),
  ]);
  return [...found, ...masked];
}

function valueWarnings(
  { knownValues, logger }: QueryTools,
  query: MetricQuery,
): Promise<readonly Warning[]> {
  // The check knows only the metadata that is published now.
  const isBehind = query.warnings.some(({ code }) => code === 'METADATA_BEHIND');
  if (isBehind || query.knownAt !== undefined) return Promise.resolve(query.warnings);
  return unknownValueWarnings(query, knownValues, logger);
}

/** The buckets of a request that are not partial; undefined if its points are not a sequence of time. */
async function wholeBucketsOf(
  { agentZones, logger }: QueryTools,
  res: Response,
  query: MetricQuery,
  now: Date,
): Promise<readonly BucketRange[] | undefined> {
  // The time zones that were recorded at that time are unknown.
  if (query.knownAt !== undefined || !needsZones(query, now)) {
    return wholeBuckets(query, now, extremeZones);
  }
  const { published } = metadataVersionsOf(res);
  const zones = await agentZones(query.organisationId, published).catch((error: unknown) => {
    // The query will report that ClickHouse failed.
    logger.warn('could not read the time zones of agents', { error: String(error) });
    return extremeZones;
  });
  return wholeBuckets(query, now, zones);
}
