import { fieldsOf } from '../../../catalog/fields.ts';
import type { Metric } from '../../../catalog/metric.ts';
import { metrics } from '../../../catalog/metrics.ts';
import { isResultOfAny, resultsTable } from '../../../catalog/result.ts';
import { columnsOfTest, type TestKey, testKeys, testTable } from '../../../catalog/test-tables.ts';
import type { GeneratedMaterializedView } from './generated-object.ts';

/** What every insert of results writes to other tables. */
export function insertFeeds(): readonly GeneratedMaterializedView[] {
  return [...filterValuesViews(), ...lastRowsFeeds(), ...dataVersionsFeeds()];
}

/**
 * filter_values_<test>: copies the values of filter fields to filter_values at every insert, for autocomplete. Skips rows
 * that are no result of a metric: a failed video has the resolution 0, which no result has.
 */
function filterValuesViews(): readonly GeneratedMaterializedView[] {
  return testKeys.map((key) => {
    const own = metrics.filter(({ test }) => test === key);
    const columns = filterColumns(key, own);
    const pairs = columns.map(({ field, text }) => `('${field}', ${text})`);
    return feed(
      `filter_values_${key}`,
      'filter_values',
      `SELECT DISTINCT organisation_id, pair.1 AS field, lower(pair.2) AS value_lower, pair.2 AS value
FROM
(
    SELECT organisation_id, arrayJoin([
        ${pairs.join(',\n        ')}
    ]::Array(Tuple(String, String))) AS pair
    FROM (
        SELECT DISTINCT organisation_id, ${columns.map(({ column }) => column).join(', ')}
        FROM test_${key}
        WHERE ${isResultOfAny(own)}
    )
)
WHERE value != ''`,
    );
  });
}

/**
 * The columns of a test that are filter fields, with the name of the field in requests and SQL of the value as text. Agents
 * and units are listed from their metadata instead.
 */
function filterColumns(key: TestKey, own: readonly Metric[]) {
  const fields = [...new Set(own.flatMap(fieldsOf))];
  return columnsOfTest(key).flatMap((column) =>
    fields.flatMap(({ name, source }) => {
      if (source.kind !== 'column' || source.column !== column) return [];
      if (source.type === 'id' || name === 'agent') return [];
      const text = source.type === 'number' ? `toString(${column})` : column;
      return [{ column, field: name, text }];
    }),
  );
}

/** last_rows_<test>_feed: copies every insert to last_rows_<test>, for tests with several rows per result. */
function lastRowsFeeds(): readonly GeneratedMaterializedView[] {
  return testKeys
    .filter((key) => testTable(key).lastRowBy !== undefined)
    .map((key) => {
      const columns = ['organisation_id', 'agent_key', ...columnsOfTest(key)];
      const all = [...columns, 'received_at', 'first_received'].join(', ');
      const sql = `SELECT ${all}\nFROM test_${key}`;
      return feed(`last_rows_${key}_feed`, `last_rows_${key}`, sql);
    });
}

/**
 * Views that record every insert of results and of copies of agent sets, even direct ones. ClickHouse writes the rows
 * before it runs the view, so a new version is never visible before its rows.
 */
function dataVersionsFeeds(): readonly GeneratedMaterializedView[] {
  const ofResults = testKeys.map((key) =>
    feed(
      `data_versions_${key}_feed`,
      'data_versions',
      `SELECT organisation_id, '${key}' AS test, toDate(dtime) AS day, count() AS row_count, sum(rand64()) AS version
FROM ${resultsTable(key)}
GROUP BY organisation_id, day`,
    ),
  );
  // Without a test: a set can be a filter of all tests and days.
  const ofAgentSets = feed(
    'data_versions_agent_set_feed',
    'data_versions',
    `SELECT organisation_id, '' AS test, toDate(0) AS day, 0 AS row_count, rand64() AS version
FROM agent_set_copy`,
  );
  return [...ofResults, ofAgentSets];
}

function feed(name: string, target: string, sql: string): GeneratedMaterializedView {
  return { kind: 'materialized view', name, target, sql };
}
