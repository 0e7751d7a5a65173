import { connectClickHouse } from '../../services/shared/clickhouse/connect-clickhouse.ts';
import { damagedParts, describeDamage } from '../../services/shared/clickhouse/damaged-parts.ts';
import { localClickHouse } from './local-clickhouse.ts';

/** Reports parts that ClickHouse could not load on start. */
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
        'Load them again, or run make clean to start with an empty database.',
    );
  } finally {
    await clickhouse.close();
  }
}
