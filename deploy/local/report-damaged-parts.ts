import { connectClickHouse } from '../../services/shared/clickhouse/connect-clickhouse.ts';
import { damagedParts, describeDamage } from '../../services/shared/clickhouse/damaged-parts.ts';
import { localClickHouse } from './local-clickhouse.ts';

/** Reports parts that ClickHouse could not load when it started. */
export async function reportDamagedParts(
  clickhouseUrl: string,
  report: (line: string) => void,
): Promise<void> {
  const clickhouse = connectClickHouse(localClickHouse(clickhouseUrl), 'netpanel-local');
  try {
    const damaged = await damagedParts(clickhouse);
    if (damaged.length === 0) return;
    report(
      `ClickHouse started without ${describeDamage(damaged)}: their rows are missing. ` +
        'Load them again, or make clean to start anew.',
    );
  } finally {
    await clickhouse.close();
  }
}
