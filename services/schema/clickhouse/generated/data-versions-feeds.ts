import { resultsTable } from '../../../catalog/result.ts';
import { testKeys } from '../../../catalog/test-tables.ts';
import type { GeneratedMaterializedView } from './generated-object.ts';

/**
 * data_versions_<test>_feed: records every insert of results, also direct ones. ClickHouse writes the results before
 * it runs the view, so a new version is never visible before the results that it stands for.
 */
export function dataVersionsFeeds(): readonly GeneratedMaterializedView[] {
  return testKeys.map((key) => ({
    kind: 'materialized view',
    name: `data_versions_${key}_feed`,
    target: 'data_versions',
    sql: `SELECT organisation_id, '${key}' AS test, toDate(dtime) AS day, count() AS row_count, sum(rand64()) AS version
FROM ${resultsTable(key)}
GROUP BY organisation_id, day`,
  }));
}
