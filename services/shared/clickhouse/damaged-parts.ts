import type { ClickHouseClient } from '@clickhouse/client';
import { queryRows } from './query-rows.ts';

/** Parts of one table that ClickHouse could not read when it started. */
export interface DamagedParts {
  readonly table: string;
  readonly parts: number;
}

/**
 * Parts that ClickHouse has detached because they are damaged. It starts without them, and their rows
 * are missing from all results.
 */
export async function damagedParts(clickhouse: ClickHouseClient): Promise<readonly DamagedParts[]> {
  return queryRows<DamagedParts>(
    clickhouse,
    `SELECT table, toUInt32(count()) AS parts FROM system.detached_parts
WHERE database = currentDatabase() AND reason LIKE '%broken%' GROUP BY table ORDER BY table`,
  );
}

/** `1 damaged part of test_dns, 2 damaged parts of test_ping` */
export function describeDamage(damaged: readonly DamagedParts[]): string {
  return damaged
    .map(({ table, parts }) => `${parts} damaged part${parts === 1 ? '' : 's'} of ${table}`)
    .join(', ');
}
