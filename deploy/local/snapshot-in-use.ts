import { setTimeout as sleep } from 'node:timers/promises';
import { connectClickHouse } from '../../services/shared/clickhouse/connect-clickhouse.ts';
import { localClickHouse } from './local-clickhouse.ts';

const withinMs = 30_000;

/**
 * Waits until the metadata service has published its first snapshot, so that the first
 * query already finds the households' ISPs and time zones.
 */
export async function snapshotInUse(clickhouseUrl: string): Promise<void> {
  const clickhouse = connectClickHouse(localClickHouse(clickhouseUrl), 'netpanel-local');
  const deadlineMs = Date.now() + withinMs;
  try {
    for (;;) {
      const result = await clickhouse.query({
        // Reading it loads it: after a restart ClickHouse loads a dictionary only when it is used.
        query: "SELECT count() AS periods FROM dictionary('agent_metadata')",
        format: 'JSONEachRow',
      });
      const [dictionary] = await result.json<{ periods: string }>();
      if (Number(dictionary?.periods ?? 0) > 0) return;
      if (Date.now() > deadlineMs) throw new Error('The metadata snapshot was not published');
      await sleep(100);
    }
  } finally {
    await clickhouse.close();
  }
}
