import type { ClickHouseClient } from '@clickhouse/client';
import type { Response } from 'express';
import { callerOf } from '../../shared/http/request-context.ts';
import type { Warning } from '../../shared/errors/warnings.ts';
import type { Logger } from '../../shared/logging/create-logger.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import type { OrganisationSlots } from '../../shared/slots/organisation-slots.ts';
import type { AccessStore, OrganisationAccess } from '../access/access-store.ts';
import type { QueryConfig } from '../config.ts';
import type { QueryRunner } from '../execution/query-runner.ts';
import type { ExportService } from '../export/export-service.ts';
import type { KnownValues } from '../listing/known-values.ts';
import { unknownValueWarnings } from '../listing/unknown-value-warnings.ts';
import type { MetricQuery } from '../request/metric-query.ts';
import type { ParseContext } from '../request/parse-context.ts';

/** Dependencies of the routes. */
export interface QueryTools {
  readonly config: QueryConfig;
  readonly database: Database;
  /** For the listings. Queries over results go through the runner. */
  readonly clickhouse: ClickHouseClient;
  readonly access: AccessStore;
  readonly knownValues: KnownValues;
  readonly listingSlots: OrganisationSlots;
  readonly runner: QueryRunner;
  readonly exports: ExportService;
  readonly logger: Logger;
}

export function callerAccess({ access }: QueryTools, res: Response): Promise<OrganisationAccess> {
  return access.accessOf(callerOf(res).organisationId);
}

/** The context for parsing a request: organisation, access, current time, limits. */
export async function parseContext(tools: QueryTools, res: Response): Promise<ParseContext> {
  return {
    organisationId: callerOf(res).organisationId,
    ...(await callerAccess(tools, res)),
    now: new Date(),
    limits: tools.config,
  };
}

/** Starts the checks that run beside a query, and returns its warnings. Never rejects. */
export function warningsOf(
  { knownValues, logger }: QueryTools,
  query: MetricQuery,
): Promise<readonly Warning[]> {
  return unknownValueWarnings(query, knownValues, logger);
}
