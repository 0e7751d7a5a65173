CREATE VIEW IF NOT EXISTS results_httpget ON CLUSTER panel AS
SELECT
    t.*,
    dictGetOrNull('${database}.agent_metadata', 'isp', agent_key, toDateTime(dtime)) AS isp,
    dictGetOrNull('${database}.agent_metadata', 'package', agent_key, toDateTime(dtime)) AS package,
    dictGetOrNull('${database}.agent_metadata', 'country', agent_key, toDateTime(dtime)) AS country,
    dictGetOrNull('${database}.agent_metadata', 'kind', agent_key, toDateTime(dtime)) AS kind,
    JSONExtract(dictGet('${database}.agent_metadata', 'custom_json', agent_key, toDateTime(dtime)), 'Map(String, String)') AS custom,
    dictGetOrNull('${database}.agent_metadata', 'timezone', agent_key, toDateTime(dtime)) AS timezone,
    dictGetOrDefault('${database}.timezone_offset', 'utc_offset_s', ifNull(timezone, 'UTC'), toDateTime(dtime), 0) AS utc_offset_s,
    addSeconds(dtime, utc_offset_s) AS local_time
FROM test_httpget AS t FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1;

CREATE VIEW IF NOT EXISTS results_httppost ON CLUSTER panel AS
SELECT
    t.*,
    dictGetOrNull('${database}.agent_metadata', 'isp', agent_key, toDateTime(dtime)) AS isp,
    dictGetOrNull('${database}.agent_metadata', 'package', agent_key, toDateTime(dtime)) AS package,
    dictGetOrNull('${database}.agent_metadata', 'country', agent_key, toDateTime(dtime)) AS country,
    dictGetOrNull('${database}.agent_metadata', 'kind', agent_key, toDateTime(dtime)) AS kind,
    JSONExtract(dictGet('${database}.agent_metadata', 'custom_json', agent_key, toDateTime(dtime)), 'Map(String, String)') AS custom,
    dictGetOrNull('${database}.agent_metadata', 'timezone', agent_key, toDateTime(dtime)) AS timezone,
    dictGetOrDefault('${database}.timezone_offset', 'utc_offset_s', ifNull(timezone, 'UTC'), toDateTime(dtime), 0) AS utc_offset_s,
    addSeconds(dtime, utc_offset_s) AS local_time
FROM test_httppost AS t FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1;

CREATE VIEW IF NOT EXISTS results_dns ON CLUSTER panel AS
SELECT
    t.*,
    dictGetOrNull('${database}.agent_metadata', 'isp', agent_key, toDateTime(dtime)) AS isp,
    dictGetOrNull('${database}.agent_metadata', 'package', agent_key, toDateTime(dtime)) AS package,
    dictGetOrNull('${database}.agent_metadata', 'country', agent_key, toDateTime(dtime)) AS country,
    dictGetOrNull('${database}.agent_metadata', 'kind', agent_key, toDateTime(dtime)) AS kind,
    JSONExtract(dictGet('${database}.agent_metadata', 'custom_json', agent_key, toDateTime(dtime)), 'Map(String, String)') AS custom,
    dictGetOrNull('${database}.agent_metadata', 'timezone', agent_key, toDateTime(dtime)) AS timezone,
    dictGetOrDefault('${database}.timezone_offset', 'utc_offset_s', ifNull(timezone, 'UTC'), toDateTime(dtime), 0) AS utc_offset_s,
    addSeconds(dtime, utc_offset_s) AS local_time
FROM test_dns AS t FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1;

CREATE VIEW IF NOT EXISTS results_netflix ON CLUSTER panel AS
SELECT
    t.*,
    dictGetOrNull('${database}.agent_metadata', 'isp', agent_key, toDateTime(dtime)) AS isp,
    dictGetOrNull('${database}.agent_metadata', 'package', agent_key, toDateTime(dtime)) AS package,
    dictGetOrNull('${database}.agent_metadata', 'country', agent_key, toDateTime(dtime)) AS country,
    dictGetOrNull('${database}.agent_metadata', 'kind', agent_key, toDateTime(dtime)) AS kind,
    JSONExtract(dictGet('${database}.agent_metadata', 'custom_json', agent_key, toDateTime(dtime)), 'Map(String, String)') AS custom,
    dictGetOrNull('${database}.agent_metadata', 'timezone', agent_key, toDateTime(dtime)) AS timezone,
    dictGetOrDefault('${database}.timezone_offset', 'utc_offset_s', ifNull(timezone, 'UTC'), toDateTime(dtime), 0) AS utc_offset_s,
    addSeconds(dtime, utc_offset_s) AS local_time
FROM test_netflix AS t FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1;

CREATE VIEW IF NOT EXISTS results_ping ON CLUSTER panel AS
SELECT
    t.*,
    dictGetOrNull('${database}.agent_metadata', 'isp', agent_key, toDateTime(dtime)) AS isp,
    dictGetOrNull('${database}.agent_metadata', 'package', agent_key, toDateTime(dtime)) AS package,
    dictGetOrNull('${database}.agent_metadata', 'country', agent_key, toDateTime(dtime)) AS country,
    dictGetOrNull('${database}.agent_metadata', 'kind', agent_key, toDateTime(dtime)) AS kind,
    JSONExtract(dictGet('${database}.agent_metadata', 'custom_json', agent_key, toDateTime(dtime)), 'Map(String, String)') AS custom,
    dictGetOrNull('${database}.agent_metadata', 'timezone', agent_key, toDateTime(dtime)) AS timezone,
    dictGetOrDefault('${database}.timezone_offset', 'utc_offset_s', ifNull(timezone, 'UTC'), toDateTime(dtime), 0) AS utc_offset_s,
    addSeconds(dtime, utc_offset_s) AS local_time
FROM test_ping AS t FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1;

CREATE VIEW IF NOT EXISTS results_jitter ON CLUSTER panel AS
SELECT
    t.*,
    dictGetOrNull('${database}.agent_metadata', 'isp', agent_key, toDateTime(dtime)) AS isp,
    dictGetOrNull('${database}.agent_metadata', 'package', agent_key, toDateTime(dtime)) AS package,
    dictGetOrNull('${database}.agent_metadata', 'country', agent_key, toDateTime(dtime)) AS country,
    dictGetOrNull('${database}.agent_metadata', 'kind', agent_key, toDateTime(dtime)) AS kind,
    JSONExtract(dictGet('${database}.agent_metadata', 'custom_json', agent_key, toDateTime(dtime)), 'Map(String, String)') AS custom,
    dictGetOrNull('${database}.agent_metadata', 'timezone', agent_key, toDateTime(dtime)) AS timezone,
    dictGetOrDefault('${database}.timezone_offset', 'utc_offset_s', ifNull(timezone, 'UTC'), toDateTime(dtime), 0) AS utc_offset_s,
    addSeconds(dtime, utc_offset_s) AS local_time
FROM test_jitter AS t FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1;

CREATE VIEW IF NOT EXISTS results_latency ON CLUSTER panel AS
SELECT
    t.*,
    dictGetOrNull('${database}.agent_metadata', 'isp', agent_key, toDateTime(dtime)) AS isp,
    dictGetOrNull('${database}.agent_metadata', 'package', agent_key, toDateTime(dtime)) AS package,
    dictGetOrNull('${database}.agent_metadata', 'country', agent_key, toDateTime(dtime)) AS country,
    dictGetOrNull('${database}.agent_metadata', 'kind', agent_key, toDateTime(dtime)) AS kind,
    JSONExtract(dictGet('${database}.agent_metadata', 'custom_json', agent_key, toDateTime(dtime)), 'Map(String, String)') AS custom,
    dictGetOrNull('${database}.agent_metadata', 'timezone', agent_key, toDateTime(dtime)) AS timezone,
    dictGetOrDefault('${database}.timezone_offset', 'utc_offset_s', ifNull(timezone, 'UTC'), toDateTime(dtime), 0) AS utc_offset_s,
    addSeconds(dtime, utc_offset_s) AS local_time
FROM test_latency AS t FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1;

CREATE VIEW IF NOT EXISTS results_webget ON CLUSTER panel AS
SELECT
    t.*,
    dictGetOrNull('${database}.agent_metadata', 'isp', agent_key, toDateTime(dtime)) AS isp,
    dictGetOrNull('${database}.agent_metadata', 'package', agent_key, toDateTime(dtime)) AS package,
    dictGetOrNull('${database}.agent_metadata', 'country', agent_key, toDateTime(dtime)) AS country,
    dictGetOrNull('${database}.agent_metadata', 'kind', agent_key, toDateTime(dtime)) AS kind,
    JSONExtract(dictGet('${database}.agent_metadata', 'custom_json', agent_key, toDateTime(dtime)), 'Map(String, String)') AS custom,
    dictGetOrNull('${database}.agent_metadata', 'timezone', agent_key, toDateTime(dtime)) AS timezone,
    dictGetOrDefault('${database}.timezone_offset', 'utc_offset_s', ifNull(timezone, 'UTC'), toDateTime(dtime), 0) AS utc_offset_s,
    addSeconds(dtime, utc_offset_s) AS local_time
FROM test_webget AS t FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1;

CREATE VIEW IF NOT EXISTS results_youtube ON CLUSTER panel AS
SELECT
    t.*,
    dictGetOrNull('${database}.agent_metadata', 'isp', agent_key, toDateTime(dtime)) AS isp,
    dictGetOrNull('${database}.agent_metadata', 'package', agent_key, toDateTime(dtime)) AS package,
    dictGetOrNull('${database}.agent_metadata', 'country', agent_key, toDateTime(dtime)) AS country,
    dictGetOrNull('${database}.agent_metadata', 'kind', agent_key, toDateTime(dtime)) AS kind,
    JSONExtract(dictGet('${database}.agent_metadata', 'custom_json', agent_key, toDateTime(dtime)), 'Map(String, String)') AS custom,
    dictGetOrNull('${database}.agent_metadata', 'timezone', agent_key, toDateTime(dtime)) AS timezone,
    dictGetOrDefault('${database}.timezone_offset', 'utc_offset_s', ifNull(timezone, 'UTC'), toDateTime(dtime), 0) AS utc_offset_s,
    addSeconds(dtime, utc_offset_s) AS local_time
FROM test_youtube AS t FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1;

CREATE VIEW IF NOT EXISTS results_network_usage ON CLUSTER panel AS
SELECT
    t.*,
    dictGetOrNull('${database}.agent_metadata', 'isp', agent_key, toDateTime(dtime)) AS isp,
    dictGetOrNull('${database}.agent_metadata', 'package', agent_key, toDateTime(dtime)) AS package,
    dictGetOrNull('${database}.agent_metadata', 'country', agent_key, toDateTime(dtime)) AS country,
    dictGetOrNull('${database}.agent_metadata', 'kind', agent_key, toDateTime(dtime)) AS kind,
    JSONExtract(dictGet('${database}.agent_metadata', 'custom_json', agent_key, toDateTime(dtime)), 'Map(String, String)') AS custom,
    dictGetOrNull('${database}.agent_metadata', 'timezone', agent_key, toDateTime(dtime)) AS timezone,
    dictGetOrDefault('${database}.timezone_offset', 'utc_offset_s', ifNull(timezone, 'UTC'), toDateTime(dtime), 0) AS utc_offset_s,
    addSeconds(dtime, utc_offset_s) AS local_time
FROM test_network_usage AS t FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1;

CREATE VIEW IF NOT EXISTS results_traceroute ON CLUSTER panel AS
SELECT
    t.*,
    dictGetOrNull('${database}.agent_metadata', 'isp', agent_key, toDateTime(dtime)) AS isp,
    dictGetOrNull('${database}.agent_metadata', 'package', agent_key, toDateTime(dtime)) AS package,
    dictGetOrNull('${database}.agent_metadata', 'country', agent_key, toDateTime(dtime)) AS country,
    dictGetOrNull('${database}.agent_metadata', 'kind', agent_key, toDateTime(dtime)) AS kind,
    JSONExtract(dictGet('${database}.agent_metadata', 'custom_json', agent_key, toDateTime(dtime)), 'Map(String, String)') AS custom,
    dictGetOrNull('${database}.agent_metadata', 'timezone', agent_key, toDateTime(dtime)) AS timezone,
    dictGetOrDefault('${database}.timezone_offset', 'utc_offset_s', ifNull(timezone, 'UTC'), toDateTime(dtime), 0) AS utc_offset_s,
    addSeconds(dtime, utc_offset_s) AS local_time
FROM test_traceroute AS t FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1;

CREATE VIEW IF NOT EXISTS results_mobile_download ON CLUSTER panel AS
SELECT
    t.*,
    dictGetOrNull('${database}.agent_metadata', 'isp', agent_key, toDateTime(dtime)) AS isp,
    dictGetOrNull('${database}.agent_metadata', 'package', agent_key, toDateTime(dtime)) AS package,
    dictGetOrNull('${database}.agent_metadata', 'country', agent_key, toDateTime(dtime)) AS country,
    dictGetOrNull('${database}.agent_metadata', 'kind', agent_key, toDateTime(dtime)) AS kind,
    JSONExtract(dictGet('${database}.agent_metadata', 'custom_json', agent_key, toDateTime(dtime)), 'Map(String, String)') AS custom,
    dictGetOrNull('${database}.agent_metadata', 'timezone', agent_key, toDateTime(dtime)) AS timezone,
    dictGetOrDefault('${database}.timezone_offset', 'utc_offset_s', ifNull(timezone, 'UTC'), toDateTime(dtime), 0) AS utc_offset_s,
    addSeconds(dtime, utc_offset_s) AS local_time
FROM test_mobile_download AS t FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1;

CREATE VIEW IF NOT EXISTS results_mobile_latency ON CLUSTER panel AS
SELECT
    t.*,
    dictGetOrNull('${database}.agent_metadata', 'isp', agent_key, toDateTime(dtime)) AS isp,
    dictGetOrNull('${database}.agent_metadata', 'package', agent_key, toDateTime(dtime)) AS package,
    dictGetOrNull('${database}.agent_metadata', 'country', agent_key, toDateTime(dtime)) AS country,
    dictGetOrNull('${database}.agent_metadata', 'kind', agent_key, toDateTime(dtime)) AS kind,
    JSONExtract(dictGet('${database}.agent_metadata', 'custom_json', agent_key, toDateTime(dtime)), 'Map(String, String)') AS custom,
    dictGetOrNull('${database}.agent_metadata', 'timezone', agent_key, toDateTime(dtime)) AS timezone,
    dictGetOrDefault('${database}.timezone_offset', 'utc_offset_s', ifNull(timezone, 'UTC'), toDateTime(dtime), 0) AS utc_offset_s,
    addSeconds(dtime, utc_offset_s) AS local_time
FROM test_mobile_latency AS t FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1;

CREATE VIEW IF NOT EXISTS results_mobile_upload ON CLUSTER panel AS
SELECT
    t.*,
    dictGetOrNull('${database}.agent_metadata', 'isp', agent_key, toDateTime(dtime)) AS isp,
    dictGetOrNull('${database}.agent_metadata', 'package', agent_key, toDateTime(dtime)) AS package,
    dictGetOrNull('${database}.agent_metadata', 'country', agent_key, toDateTime(dtime)) AS country,
    dictGetOrNull('${database}.agent_metadata', 'kind', agent_key, toDateTime(dtime)) AS kind,
    JSONExtract(dictGet('${database}.agent_metadata', 'custom_json', agent_key, toDateTime(dtime)), 'Map(String, String)') AS custom,
    dictGetOrNull('${database}.agent_metadata', 'timezone', agent_key, toDateTime(dtime)) AS timezone,
    dictGetOrDefault('${database}.timezone_offset', 'utc_offset_s', ifNull(timezone, 'UTC'), toDateTime(dtime), 0) AS utc_offset_s,
    addSeconds(dtime, utc_offset_s) AS local_time
FROM test_mobile_upload AS t FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1;

CREATE VIEW IF NOT EXISTS results_mobile_www ON CLUSTER panel AS
SELECT
    t.*,
    dictGetOrNull('${database}.agent_metadata', 'isp', agent_key, toDateTime(dtime)) AS isp,
    dictGetOrNull('${database}.agent_metadata', 'package', agent_key, toDateTime(dtime)) AS package,
    dictGetOrNull('${database}.agent_metadata', 'country', agent_key, toDateTime(dtime)) AS country,
    dictGetOrNull('${database}.agent_metadata', 'kind', agent_key, toDateTime(dtime)) AS kind,
    JSONExtract(dictGet('${database}.agent_metadata', 'custom_json', agent_key, toDateTime(dtime)), 'Map(String, String)') AS custom,
    dictGetOrNull('${database}.agent_metadata', 'timezone', agent_key, toDateTime(dtime)) AS timezone,
    dictGetOrDefault('${database}.timezone_offset', 'utc_offset_s', ifNull(timezone, 'UTC'), toDateTime(dtime), 0) AS utc_offset_s,
    addSeconds(dtime, utc_offset_s) AS local_time
FROM test_mobile_www AS t FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1;

CREATE VIEW IF NOT EXISTS results_mobile_youtube ON CLUSTER panel AS
SELECT
    t.*,
    dictGetOrNull('${database}.agent_metadata', 'isp', agent_key, toDateTime(dtime)) AS isp,
    dictGetOrNull('${database}.agent_metadata', 'package', agent_key, toDateTime(dtime)) AS package,
    dictGetOrNull('${database}.agent_metadata', 'country', agent_key, toDateTime(dtime)) AS country,
    dictGetOrNull('${database}.agent_metadata', 'kind', agent_key, toDateTime(dtime)) AS kind,
    JSONExtract(dictGet('${database}.agent_metadata', 'custom_json', agent_key, toDateTime(dtime)), 'Map(String, String)') AS custom,
    dictGetOrNull('${database}.agent_metadata', 'timezone', agent_key, toDateTime(dtime)) AS timezone,
    dictGetOrDefault('${database}.timezone_offset', 'utc_offset_s', ifNull(timezone, 'UTC'), toDateTime(dtime), 0) AS utc_offset_s,
    addSeconds(dtime, utc_offset_s) AS local_time
FROM test_mobile_youtube AS t FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1;
