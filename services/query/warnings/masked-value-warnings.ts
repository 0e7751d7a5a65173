import type { ClickHouseClient } from '@clickhouse/client';
import { isMaskedValue } from '../../catalog/metric.ts';
import { resultsTable } from '../../catalog/result.ts';
import type { Warning } from '../../shared/errors/warnings.ts';
import type { Logger } from '../../shared/logging/create-logger.ts';
import { utcDays } from '../compiler/conditions.ts';
import { organisationRows } from '../execution/organisation-rows.ts';
import type { MetricQuery } from '../request/metric-query.ts';

interface Parts {
  readonly clickhouse: ClickHouseClient;
  readonly logger: Logger;
}

/** Warns that raw data leaves out masked values, if the range has some. Never rejects. */
export async function maskedValueWarnings(
  { clickhouse, logger }: Parts,
  { organisationId, metric, chartType, times }: MetricQuery,
): Promise<readonly Warning[]> {
  if (metric.masked === undefined || chartType !== 'raw') return [];
  const { fromDay, toDay } = utcDays(times);
  try {
    const found = await organisationRows(
      clickhouse,
      organisationId,
      `SELECT 1 FROM ${resultsTable(metric.test)}
      WHERE organisation_id = {organisation:UInt32}
        AND toDate(dtime) BETWEEN {from_day:Date} AND {to_day:Date}
        AND ${isMaskedValue(metric.masked)}
      LIMIT 1`,
      { params: { from_day: fromDay, to_day: toDay } },
    );
    return found.length === 0 ? [] : [{ code: 'MASKED_VALUES', message }];
  } catch (error) {
    logger.warn('masked values were not checked', { error: String(error) });
    return [];
  }
}

const message =
  'The publisher masks some values of this range, which only have a bound. Raw data leaves them out; aggregates count them.';
