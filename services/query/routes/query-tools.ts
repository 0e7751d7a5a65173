import type { ClickHouseClient } from '@clickhouse/client';
import type { Request, Response } from 'express';
import { callerOf } from '../../shared/http/request-context.ts';
import type { Warning } from '../../shared/errors/warnings.ts';
import type { Logger } from '../../shared/logging/create-logger.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import type { OrganisationSlots } from '../../shared/slots/organisation-slots.ts';
import type { AccessStore, OrganisationAccess } from '../access/access-store.ts';
import type { AgentZones } from '../access/agent-zones.ts';
import type { PublishedMetadata } from '../access/published-metadata.ts';
import type { Answers } from '../cache/answers.ts';
import type { ResultVersionReader } from '../cache/result-versions.ts';
import type { QueryConfig } from '../config.ts';
import type { QueryRunner } from '../execution/query-runner.ts';
import type { ExportService } from '../export/export-service.ts';
import type { KnownMetadata } from '../known-at/known-metadata.ts';
import { knownAtMoment } from '../request/parse-known-at.ts';
import { agentSetNames } from '../listing/agent-set-names.ts';
import type { CustomNumbers } from '../listing/custom-numbers.ts';
import type { KnownValues } from '../listing/known-values.ts';
import { unknownValueWarnings } from '../listing/unknown-value-warnings.ts';
import type { MetricQuery } from '../request/metric-query.ts';
import type { ParseContext } from '../request/parse-context.ts';
import { usesAgentSets } from '../request/parse-filters.ts';
import { expandMethod } from '../request/report/expand-method.ts';
import { numberKeys } from '../request/report/parse-number-field.ts';
import type { SavedViews } from '../views/saved-views.ts';
import { metadataVersionsOf, metadataWarnings } from './metadata-version.ts';

/** Dependencies of the routes. */
export interface QueryTools {
  readonly config: QueryConfig;
  readonly database: Database;
  /** For the listings. Queries over results go through the runner. */
  readonly clickhouse: ClickHouseClient;
  readonly resultVersions: ResultVersionReader;
  readonly access: AccessStore;
  readonly metadata: PublishedMetadata;
  readonly agentZones: AgentZones;
  readonly knownValues: KnownValues;
  readonly numberRanges: CustomNumbers;
  readonly listingSlots: OrganisationSlots;
  readonly runner: QueryRunner;
  /** Absent if answers are not stored. */
  readonly answers?: Answers;
  readonly knownMetadata: KnownMetadata;
  readonly exports: ExportService;
  readonly views: SavedViews;
  readonly logger: Logger;
}

/** The organisation's access, and the privacy floor of the caller. */
export interface CallerAccess extends OrganisationAccess {
  readonly minAgents: number;
}

export async function callerAccess(tools: QueryTools, res: Response): Promise<CallerAccess> {
  const { organisationId, minAgents } = callerOf(res);
  const access = await tools.access.accessOf(organisationId, metadataVersionsOf(res).published);
  return { ...access, minAgents };
}

/** Reads the context for parsing a request: organisation, access, current time, limits. */
export type ReadContext = (tools: QueryTools, req: Request, res: Response) => Promise<ParseContext>;

export const testContext: ReadContext = (tools, _req, res) => commonContext(tools, res);

/** With the metadata of `knownAt`, and the custom keys that it had. */
export const metricContext: ReadContext = async (tools, req, res) => {
  const context = await withAgentSets(
    tools,
    req,
    await withKnownAt(tools, req, await commonContext(tools, res)),
  );
  const keys = numberKeys(expandMethod(req.body)).filter((key) => context.customKeys.includes(key));
  if (keys.length === 0) return context;
  const { organisationId, knownAt } = context;
  const { published } = metadataVersionsOf(res);
  const numberRanges =
    knownAt === undefined
      ? await tools.numberRanges.of(organisationId, published, keys)
      : await tools.knownMetadata.customNumbers(organisationId, knownAt, published, keys);
  return { ...context, numberRanges };
};

async function withKnownAt(
  tools: QueryTools,
  req: Request,
  context: ParseContext,
): Promise<ParseContext> {
  const { organisationId, now } = context;
  const moment = knownAtMoment(req.body, now);
  if (moment === undefined) return context;
  const { knownAt, customKeys } = await tools.knownMetadata.find(organisationId, moment);
  return { ...context, knownAt, customKeys: [...new Set([...context.customKeys, ...customKeys])] };
}

async function withAgentSets(
  { clickhouse }: QueryTools,
  req: Request,
  context: ParseContext,
): Promise<ParseContext> {
  if (!usesAgentSets(req.body)) return context;
  return { ...context, agentSets: await agentSetNames(clickhouse, context.organisationId) };
}

async function commonContext(tools: QueryTools, res: Response): Promise<ParseContext> {
  return {
    organisationId: callerOf(res).organisationId,
    ...(await callerAccess(tools, res)),
    metadataWarnings: metadataWarnings(res),
    now: new Date(),
    numberRanges: new Map(),
    agentSets: [],
    limits: tools.config,
  };
}

/** Starts the checks that run beside a query, and returns its warnings. Never rejects. */
export function warningsOf(
  { knownValues, logger }: QueryTools,
  query: MetricQuery,
): Promise<readonly Warning[]> {
  // The check knows only the metadata that is published now.
  const isBehind = query.warnings.some(({ code }) => code === 'METADATA_BEHIND');
  if (isBehind || query.knownAt !== undefined) return Promise.resolve(query.warnings);
  return unknownValueWarnings(query, knownValues, logger);
}
