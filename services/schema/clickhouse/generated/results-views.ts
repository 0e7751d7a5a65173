import { commonColumns, type TestTable, testTables } from '../../../catalog/test-tables.ts';
import type { GeneratedView } from './generated-object.ts';

/**
 * results_<test>: each result once, with the metadata of its household as of the test and the household's local
 * time, for analysts who query ClickHouse directly:
 *
 *   SELECT package, toHour(local_time) AS hour, avg(bytes_sec) FROM results_httpget GROUP BY ALL
 *
 * isp, package, country, kind and timezone are NULL (custom is empty) where none was known at that time;
 * local_time is then UTC. It is a local wall-clock time in a UTC-typed column.
 */
export function resultsViews(): readonly GeneratedView[] {
  return Object.values<TestTable>(testTables).map(({ key, columns }) => ({
    kind: 'view',
    name: `results_${key}`,
    sql: `SELECT
    ${['organisation_id', 'agent_key', ...commonColumns, ...columns, 'received_at'].join(', ')},
    ${metadata('isp')},
    ${metadata('package')},
    ${metadata('country')},
    ${metadata('kind')},
    JSONExtract(dictGet(${dictionary}, 'custom_json', agent_key, toDateTime(dtime)), 'Map(String, String)') AS custom,
    ${metadata('timezone')},
    dictGetOrDefault('\${database}.timezone_offset', 'utc_offset_s', ifNull(timezone, 'UTC'), toDateTime(dtime), 0) AS utc_offset_s,
    addSeconds(dtime, utc_offset_s) AS local_time
FROM test_${key} FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1`,
  }));
}

const dictionary = "'${database}.agent_metadata'";

function metadata(attribute: string): string {
  return `dictGetOrNull(${dictionary}, '${attribute}', agent_key, toDateTime(dtime)) AS ${attribute}`;
}
