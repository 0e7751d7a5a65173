import type { TestTable } from '../../../catalog/test-table.ts';
import { commonColumns, testTables } from '../../../catalog/test-tables.ts';
import type { GeneratedMaterializedView } from './generated-object.ts';

/** last_rows_<test>_feed: copies every insert to last_rows_<test>, for tests with several rows per result. */
export function lastRowsFeeds(): readonly GeneratedMaterializedView[] {
  return Object.values<TestTable>(testTables)
    .filter(({ lastRowBy }) => lastRowBy !== undefined)
    .map(({ key, columns }) => {
      const all = ['organisation_id', 'agent_key', ...commonColumns, ...columns];
      return {
        kind: 'materialized view',
        name: `last_rows_${key}_feed`,
        target: `last_rows_${key}`,
        sql: `SELECT ${[...all, 'received_at', 'first_received'].join(', ')}\nFROM test_${key}`,
      };
    });
}
