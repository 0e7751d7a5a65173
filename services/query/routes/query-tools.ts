import type { ClickHouseClient } from '@clickhouse/client';
import type { Response } from 'express';
import { callerOf } from '../../shared/http/request-context.ts';
import type { Logger } from '../../shared/logging/create-logger.ts';
import type { PostgresClock } from '../../shared/postgres/postgres-clock.ts';
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
import type { CustomNumbers } from '../listing/custom-numbers.ts';
import type { DataOfMetrics } from '../listing/data-of-metrics.ts';
import type { KnownValues } from '../listing/known-values.ts';
import type { RegionMaps } from '../region-map/region-maps.ts';
import type { SavedViews } from '../views/saved-views.ts';
import { metadataVersionsOf } from './metadata-version.ts';

/** Dependencies of the routes. */
export interface QueryTools {
  readonly config: QueryConfig;
  readonly clock: PostgresClock;
  /** For the listings. Queries over results go through the runner. */
  readonly clickhouse: ClickHouseClient;
  readonly resultVersions: ResultVersionReader;
  readonly access: AccessStore;
  readonly metadata: PublishedMetadata;
  readonly agentZones: AgentZones;
  readonly knownValues: KnownValues;
  readonly numberRanges: CustomNumbers;
  readonly dataOfMetrics: DataOfMetrics;
  readonly listingSlots: OrganisationSlots;
  readonly runner: QueryRunner;
  /** Absent if answers are not stored. */
  readonly answers?: Answers;
  readonly knownMetadata: KnownMetadata;
  readonly exports: ExportService;
  readonly views: SavedViews;
  readonly regionMaps: RegionMaps;
  readonly logger: Logger;
}

/** The organisation's access, and the privacy floor of the caller. */
export interface CallerAccess extends OrganisationAccess {
  readonly minAgents: number;
}

export async function callerAccess(tools: QueryTools, res: Response): Promise<CallerAccess> {
  const { organisationId, minAgents } = callerOf(res);
  const access = await tools.access(organisationId, metadataVersionsOf(res).published);
  return { ...access, minAgents };
}
