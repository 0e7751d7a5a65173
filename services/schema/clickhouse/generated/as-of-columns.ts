import { endedAt, localTime, metadataAsOfResult, utcOffset } from '../../../catalog/result.ts';
import { as, type Column } from '../../../shared/sql/select.ts';

// A view may be read from another database, so the name is qualified.
const metadata = (attribute: string) =>
  metadataAsOfResult([attribute], { dictionary: '${database}.agent_metadata' });

/** Definitions for asOfColumns: the same local time and metadata lookups as in the queries of the API. */
export const asOfDefinitions: readonly Column[] = [
  as(endedAt, 'ended_at'),
  as(utcOffset(metadata('timezone_hash'), { dictionary: '${database}.timezone_span' }), 'clock'),
  as(localTime, 'local_time'),
];

/**
 * The household's metadata and local time when the test ran. Without metadata, isp, package, country, kind and
 * timezone are NULL, custom is empty, and local time is UTC. local_time is a wall-clock time in a UTC-typed value:
 * tools that convert times to their own zone would shift it, but not local_date and local_hour.
 */
export const asOfColumns: readonly Column[] = [
  as(metadata('isp'), 'isp'),
  as(metadata('package'), 'package'),
  as(metadata('country'), 'country'),
  as(`nullIf(${metadata('kind')}, '')`, 'kind'),
  as(`JSONExtract(${metadata('custom_json')}, 'Map(String, String)')`, 'custom'),
  as(metadata('timezone'), 'timezone'),
  as("dateDiff('second', ended_at, local_time)", 'utc_offset_s'),
  'local_time',
  as('toDate(local_time)', 'local_date'),
  as('toHour(local_time)', 'local_hour'),
];

/** A custom value of the household when the test ran. */
export function asOfCustom(key: string): string {
  return `JSONExtract(${metadata('custom_json')}, '${key}', 'Nullable(String)')`;
}

/** As in the queries of the API: a column of the view must not hide a column of the table. */
export const viewSettings = [
  'do_not_merge_across_partitions_select_final = 1',
  'prefer_column_name_to_alias = 1',
];
