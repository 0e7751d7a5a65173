import { resultsTable } from '../../../catalog/result.ts';
import { testKeys } from '../../../catalog/test-tables.ts';
import type { GeneratedMaterializedView } from './generated-object.ts';

/**
 * Views that record every insert of results and of copies of agent sets, also direct ones. ClickHouse writes the rows
 * before it runs the view, so a new version is never visible before the rows that it stands for.
 */
export function dataVersionsFeeds(): readonly GeneratedMaterializedView[] {
  const ofResults = testKeys.map((key) =>
    feed(
      `data_versions_${key}_feed`,
      `SELECT organisation_id, '${key}' AS test, toDate(dtime) AS day, count() AS row_count, sum(rand64()) AS version
FROM ${resultsTable(key)}
GROUP BY organisation_id, day`,
    ),
  );
  // Without a test: a set can be a filter of all tests and days.
  const ofAgentSets = feed(
    'data_versions_agent_set_feed',
    `SELECT organisation_id, '' AS test, toDate(0) AS day, 0 AS row_count, rand64() AS version
FROM agent_set_copy`,
  );
  return [...ofResults, ofAgentSets];
}

function feed(name: string, sql: string): GeneratedMaterializedView {
  return { kind: 'materialized view', name, target: 'data_versions', sql };
}
