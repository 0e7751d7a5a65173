import { setTimeout as sleep } from 'node:timers/promises';
import { connectClickHouse } from '../../services/shared/clickhouse/connect-clickhouse.ts';
import { localClickHouse } from './local-clickhouse.ts';

const timeoutMs = 30_000;

/**
 * Waits until the metadata service has published its first snapshot, so that the first query finds
 * ISPs and time zones.
 */
export async function waitForSnapshot(clickhouseUrl: string): Promise<void> {
  const clickhouse = connectClickHouse(localClickHouse(clickhouseUrl), 'netpanel-local');
  const deadlineMs = performance.now() + timeoutMs;
  try {
    for (;;) {
      const result = await clickhouse.query({
        // After a restart ClickHouse loads a dictionary on first use, which this query is.
        query: "SELECT count() AS periods FROM dictionary('agent_metadata')",
        format: 'JSONEachRow',
      });
      const [dictionary] = await result.json<{ periods: string }>();
      if (Number(dictionary?.periods ?? 0) > 0) return;
      if (performance.now() > deadlineMs)
        throw new Error(`The metadata snapshot was not published within ${timeoutMs} ms`);
      await sleep(100);
    }
  } finally {
    await clickhouse.close();
  }
}
