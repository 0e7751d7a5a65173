import type { ClickHouseClient } from '@clickhouse/client';
import { queryRows } from '../../shared/clickhouse/query-rows.ts';
import type { Logger } from '../../shared/logging/create-logger.ts';
import { PeriodicJob } from '../../shared/jobs/periodic-job.ts';

const checkIntervalMs = 60_000;
/** Shares of the limit: from where on answers are removed, and how much is kept. Between them no check removes anything. */
const evictFrom = 0.9;
const evictTo = 0.6;

interface Parts {
  readonly clickhouse: ClickHouseClient;
  readonly maxBytes: number;
  readonly logger: Logger;
}

/** Drops the oldest days of stored answers before their table is full. Replicas may do so at the same time. */
export function storedAnswersEviction(parts: Parts): PeriodicJob {
  return new PeriodicJob({
    run: () => evictStoredAnswers(parts),
    intervalMs: checkIntervalMs,
    failure: 'could not remove old stored answers',
    logger: parts.logger,
  });
}

interface StoredDay {
  /** Such as 20261116. */
  readonly partition: string;
  readonly bytes: string;
}

/** Also drops the current day if it alone is too large: its answers are computed again when they are requested. */
export async function evictStoredAnswers({ clickhouse, maxBytes, logger }: Parts): Promise<void> {
  const days = await queryRows<StoredDay>(clickhouse, storedDaysQuery);
  let bytes = days.reduce((sum, day) => sum + Number(day.bytes), 0);
  if (bytes < maxBytes * evictFrom) return;
  for (const day of days) {
    if (bytes <= maxBytes * evictTo) return;
    await clickhouse.command({
      query: `ALTER TABLE stored_answers DROP PARTITION ${Number(day.partition)}`,
    });
    bytes -= Number(day.bytes);
    logger.info('old stored answers removed', { day: day.partition, bytes: Number(day.bytes) });
  }
}

const storedDaysQuery = `SELECT partition, toString(sum(bytes_on_disk)) AS bytes FROM system.parts
WHERE database = currentDatabase() AND table = 'stored_answers' AND active
GROUP BY partition ORDER BY partition`;
