import { resultsTable } from '../../../catalog/result.ts';
import { commonColumns, testTables } from '../../../catalog/test-tables.ts';
import { printInlined } from '../../../shared/sql/print-query.ts';
import { asOfColumns, asOfDefinitions, viewSettings } from './as-of-columns.ts';
import type { GeneratedView } from './generated-object.ts';

/**
 * results_<test>: one row per result, including failed ones, with the columns of the test, and the household's
 * metadata and local time when the test ran. The values of a metric are in metric_<key>.
 */
export function resultsViews(): readonly GeneratedView[] {
  return Object.values(testTables).map(({ key, columns }) => ({
    kind: 'view',
    name: `results_${key}`,
    sql: printInlined({
      steps: [],
      select: {
        define: asOfDefinitions,
        columns: ['organisation_id', 'agent_key', ...commonColumns, ...columns, ...asOfColumns],
        from: resultsTable(key),
        final: true,
      },
      settings: viewSettings,
    }),
  }));
}
