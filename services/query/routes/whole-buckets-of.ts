import type { Response } from 'express';
import type { BucketRange, MetricQuery } from '../request/metric-query.ts';
import { extremeZones, needsZones, wholeBuckets } from '../response/whole-buckets.ts';
import { metadataVersionsOf } from './metadata-version.ts';
import type { QueryTools } from './query-tools.ts';

/** The buckets of a request that are not partial; undefined if its points are not a sequence of time. */
export async function wholeBucketsOf(
  { agentZones, logger }: QueryTools,
  res: Response,
  query: MetricQuery,
  now: Date,
): Promise<readonly BucketRange[] | undefined> {
  // The zones that were recorded at an earlier moment may be any.
  if (query.knownAt !== undefined || !needsZones(query, now)) {
    return wholeBuckets(query, now, extremeZones);
  }
  const { published } = metadataVersionsOf(res);
  const zones = await agentZones.of(query.organisationId, published).catch((error: unknown) => {
    // The query will report that ClickHouse failed.
    logger.warn('could not read the time zones of agents', { error: String(error) });
    return extremeZones;
  });
  return wholeBuckets(query, now, zones);
}
