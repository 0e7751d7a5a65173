CREATE MATERIALIZED VIEW IF NOT EXISTS filter_values_httpget ON CLUSTER panel TO filter_values
DEFINER = '${user}' SQL SECURITY DEFINER AS
SELECT DISTINCT organisation_id, pair.1 AS field, lower(pair.2) AS value_lower, pair.2 AS value
FROM
(
    SELECT organisation_id, arrayJoin([
        ('base', base),
        ('target', target),
        ('threads', toString(threads)),
        ('ip_version', toString(ip_version)),
        ('target_set', target_group)
    ]::Array(Tuple(String, String))) AS pair
    FROM (
        SELECT DISTINCT organisation_id, base, target, threads, ip_version, target_group
        FROM test_httpget_shard
        WHERE (successes > 0) OR (successes > 0 AND bytes_sec_interval != 0) OR (successes > 0 AND isNotNull(tcp_retransmissions))
    )
)
WHERE value != '';

ALTER TABLE filter_values_httpget ON CLUSTER panel MODIFY QUERY
SELECT DISTINCT organisation_id, pair.1 AS field, lower(pair.2) AS value_lower, pair.2 AS value
FROM
(
    SELECT organisation_id, arrayJoin([
        ('base', base),
        ('target', target),
        ('threads', toString(threads)),
        ('ip_version', toString(ip_version)),
        ('target_set', target_group)
    ]::Array(Tuple(String, String))) AS pair
    FROM (
        SELECT DISTINCT organisation_id, base, target, threads, ip_version, target_group
        FROM test_httpget_shard
        WHERE (successes > 0) OR (successes > 0 AND bytes_sec_interval != 0) OR (successes > 0 AND isNotNull(tcp_retransmissions))
    )
)
WHERE value != '';

ALTER TABLE filter_values_httpget ON CLUSTER panel MODIFY DEFINER = '${user}' SQL SECURITY DEFINER;

CREATE MATERIALIZED VIEW IF NOT EXISTS last_rows_traceroute_feed ON CLUSTER panel TO last_rows_traceroute_shard
DEFINER = '${user}' SQL SECURITY DEFINER AS
SELECT organisation_id, agent_key, base, ddate, dtime, agent_id, unit_id, target, target_group, address, ip_version, protocol, hop, hop_address, hop_name, sent, received, rtt_avg, successes, failures, received_at, first_received
FROM test_traceroute_shard;

ALTER TABLE last_rows_traceroute_feed ON CLUSTER panel MODIFY QUERY
SELECT organisation_id, agent_key, base, ddate, dtime, agent_id, unit_id, target, target_group, address, ip_version, protocol, hop, hop_address, hop_name, sent, received, rtt_avg, successes, failures, received_at, first_received
FROM test_traceroute_shard;

ALTER TABLE last_rows_traceroute_feed ON CLUSTER panel MODIFY DEFINER = '${user}' SQL SECURITY DEFINER;

CREATE OR REPLACE VIEW results_httpget ON CLUSTER panel DEFINER = '${user}' SQL SECURITY DEFINER AS
WITH
    toDateTime(dtime) AS ended_at,
    dictGet('${database}.timezone_span',
        ('utc_offset_s', 'first_change_at', 'first_change_s', 'second_change_at', 'second_change_s'),
        if(dictHas('${database}.agent_metadata_changes', toUInt64(0), toDateTime(0))
            AND dictHas('${database}.agent_metadata_changes', agent_key, ended_at),
        dictGet('${database}.agent_metadata_changes', 'timezone_hash', agent_key, ended_at),
        dictGet('${database}.agent_metadata', 'timezone_hash', agent_key, ended_at)) + bitShiftRight(toUnixTimestamp(ended_at), 22)) AS clock,
    addSeconds(ended_at, clock.utc_offset_s
        + (ended_at >= clock.first_change_at) * clock.first_change_s
        + (ended_at >= clock.second_change_at) * clock.second_change_s) AS local_time
SELECT
    organisation_id,
    agent_key,
    base,
    ddate,
    dtime,
    agent_id,
    unit_id,
    target,
    address,
    fetch_time,
    bytes_total,
    bytes_sec,
    bytes_sec_interval,
    warmup_time,
    warmup_bytes,
    sequence,
    threads,
    tcp_retransmissions,
    successes,
    failures,
    ip_version,
    target_group,
    if(dictHas('${database}.agent_metadata_changes', toUInt64(0), toDateTime(0))
            AND dictHas('${database}.agent_metadata_changes', agent_key, ended_at),
        dictGet('${database}.agent_metadata_changes', 'isp', agent_key, ended_at),
        dictGet('${database}.agent_metadata', 'isp', agent_key, ended_at)) AS isp,
    if(dictHas('${database}.agent_metadata_changes', toUInt64(0), toDateTime(0))
            AND dictHas('${database}.agent_metadata_changes', agent_key, ended_at),
        dictGet('${database}.agent_metadata_changes', 'package', agent_key, ended_at),
        dictGet('${database}.agent_metadata', 'package', agent_key, ended_at)) AS package,
    if(dictHas('${database}.agent_metadata_changes', toUInt64(0), toDateTime(0))
            AND dictHas('${database}.agent_metadata_changes', agent_key, ended_at),
        dictGet('${database}.agent_metadata_changes', 'country', agent_key, ended_at),
        dictGet('${database}.agent_metadata', 'country', agent_key, ended_at)) AS country,
    nullIf(if(dictHas('${database}.agent_metadata_changes', toUInt64(0), toDateTime(0))
            AND dictHas('${database}.agent_metadata_changes', agent_key, ended_at),
        dictGet('${database}.agent_metadata_changes', 'kind', agent_key, ended_at),
        dictGet('${database}.agent_metadata', 'kind', agent_key, ended_at)), '') AS kind,
    JSONExtract(if(dictHas('${database}.agent_metadata_changes', toUInt64(0), toDateTime(0))
            AND dictHas('${database}.agent_metadata_changes', agent_key, ended_at),
        dictGet('${database}.agent_metadata_changes', 'custom_json', agent_key, ended_at),
        dictGet('${database}.agent_metadata', 'custom_json', agent_key, ended_at)), 'Map(String, String)') AS custom,
    if(dictHas('${database}.agent_metadata_changes', toUInt64(0), toDateTime(0))
            AND dictHas('${database}.agent_metadata_changes', agent_key, ended_at),
        dictGet('${database}.agent_metadata_changes', 'timezone', agent_key, ended_at),
        dictGet('${database}.agent_metadata', 'timezone', agent_key, ended_at)) AS timezone,
    dateDiff('second', ended_at, local_time) AS utc_offset_s,
    local_time,
    toDate(local_time) AS local_date,
    toHour(local_time) AS local_hour
FROM last_rows_httpget FINAL
SETTINGS
    do_not_merge_across_partitions_select_final = 1,
    prefer_column_name_to_alias = 1;

CREATE OR REPLACE VIEW results_dns ON CLUSTER panel DEFINER = '${user}' SQL SECURITY DEFINER AS
WITH
    toDateTime(dtime) AS ended_at,
    dictGet('${database}.timezone_span',
        ('utc_offset_s', 'first_change_at', 'first_change_s', 'second_change_at', 'second_change_s'),
        if(dictHas('${database}.agent_metadata_changes', toUInt64(0), toDateTime(0))
            AND dictHas('${database}.agent_metadata_changes', agent_key, ended_at),
        dictGet('${database}.agent_metadata_changes', 'timezone_hash', agent_key, ended_at),
        dictGet('${database}.agent_metadata', 'timezone_hash', agent_key, ended_at)) + bitShiftRight(toUnixTimestamp(ended_at), 22)) AS clock,
    addSeconds(ended_at, clock.utc_offset_s
        + (ended_at >= clock.first_change_at) * clock.first_change_s
        + (ended_at >= clock.second_change_at) * clock.second_change_s) AS local_time
SELECT
    organisation_id,
    agent_key,
    base,
    ddate,
    dtime,
    agent_id,
    unit_id,
    nameserver,
    lookup_host,
    record_type,
    response_ip,
    rtt,
    successes,
    failures,
    ip_version,
    if(dictHas('${database}.agent_metadata_changes', toUInt64(0), toDateTime(0))
            AND dictHas('${database}.agent_metadata_changes', agent_key, ended_at),
        dictGet('${database}.agent_metadata_changes', 'isp', agent_key, ended_at),
        dictGet('${database}.agent_metadata', 'isp', agent_key, ended_at)) AS isp,
    if(dictHas('${database}.agent_metadata_changes', toUInt64(0), toDateTime(0))
            AND dictHas('${database}.agent_metadata_changes', agent_key, ended_at),
        dictGet('${database}.agent_metadata_changes', 'package', agent_key, ended_at),
        dictGet('${database}.agent_metadata', 'package', agent_key, ended_at)) AS package,
    if(dictHas('${database}.agent_metadata_changes', toUInt64(0), toDateTime(0))
            AND dictHas('${database}.agent_metadata_changes', agent_key, ended_at),
        dictGet('${database}.agent_metadata_changes', 'country', agent_key, ended_at),
        dictGet('${database}.agent_metadata', 'country', agent_key, ended_at)) AS country,
    nullIf(if(dictHas('${database}.agent_metadata_changes', toUInt64(0), toDateTime(0))
            AND dictHas('${database}.agent_metadata_changes', agent_key, ended_at),
        dictGet('${database}.agent_metadata_changes', 'kind', agent_key, ended_at),
        dictGet('${database}.agent_metadata', 'kind', agent_key, ended_at)), '') AS kind,
    JSONExtract(if(dictHas('${database}.agent_metadata_changes', toUInt64(0), toDateTime(0))
            AND dictHas('${database}.agent_metadata_changes', agent_key, ended_at),
        dictGet('${database}.agent_metadata_changes', 'custom_json', agent_key, ended_at),
        dictGet('${database}.agent_metadata', 'custom_json', agent_key, ended_at)), 'Map(String, String)') AS custom,
    if(dictHas('${database}.agent_metadata_changes', toUInt64(0), toDateTime(0))
            AND dictHas('${database}.agent_metadata_changes', agent_key, ended_at),
        dictGet('${database}.agent_metadata_changes', 'timezone', agent_key, ended_at),
        dictGet('${database}.agent_metadata', 'timezone', agent_key, ended_at)) AS timezone,
    dateDiff('second', ended_at, local_time) AS utc_offset_s,
    local_time,
    toDate(local_time) AS local_date,
    toHour(local_time) AS local_hour
FROM test_dns FINAL
SETTINGS
    do_not_merge_across_partitions_select_final = 1,
    prefer_column_name_to_alias = 1;

CREATE OR REPLACE VIEW metric_httpget ON CLUSTER panel DEFINER = '${user}' SQL SECURITY DEFINER AS
WITH
    toDateTime(dtime) AS ended_at,
    dictGet('${database}.timezone_span',
        ('utc_offset_s', 'first_change_at', 'first_change_s', 'second_change_at', 'second_change_s'),
        if(dictHas('${database}.agent_metadata_changes', toUInt64(0), toDateTime(0))
            AND dictHas('${database}.agent_metadata_changes', agent_key, ended_at),
        dictGet('${database}.agent_metadata_changes', 'timezone_hash', agent_key, ended_at),
        dictGet('${database}.agent_metadata', 'timezone_hash', agent_key, ended_at)) + bitShiftRight(toUnixTimestamp(ended_at), 22)) AS clock,
    addSeconds(ended_at, clock.utc_offset_s
        + (ended_at >= clock.first_change_at) * clock.first_change_s
        + (ended_at >= clock.second_change_at) * clock.second_change_s) AS local_time
SELECT
    organisation_id,
    agent_key,
    agent_id,
    unit_id,
    dtime,
    toFloat64(bytes_sec * 8 / 1e6) AS value,
    1 AS weight,
    toBool(ifNull(bytes_sec > 0 AND bytes_sec <= 12500000000, 0)) AS passes_prefilter,
    toBool(position(concat(',', ifNull(JSONExtract(if(dictHas('${database}.agent_metadata_changes', toUInt64(0), toDateTime(0))
            AND dictHas('${database}.agent_metadata_changes', agent_key, ended_at),
        dictGet('${database}.agent_metadata_changes', 'custom_json', agent_key, ended_at),
        dictGet('${database}.agent_metadata', 'custom_json', agent_key, ended_at)), 'excluded_metrics', 'Nullable(String)'), ''), ','), ',httpget,') > 0) AS excluded,
    nullIf(target_group, '') AS target_set,
    nullIf(target, '') AS target,
    nullIf(base, '') AS base,
    threads,
    ip_version,
    if(dictHas('${database}.agent_metadata_changes', toUInt64(0), toDateTime(0))
            AND dictHas('${database}.agent_metadata_changes', agent_key, ended_at),
        dictGet('${database}.agent_metadata_changes', 'isp', agent_key, ended_at),
        dictGet('${database}.agent_metadata', 'isp', agent_key, ended_at)) AS isp,
    if(dictHas('${database}.agent_metadata_changes', toUInt64(0), toDateTime(0))
            AND dictHas('${database}.agent_metadata_changes', agent_key, ended_at),
        dictGet('${database}.agent_metadata_changes', 'package', agent_key, ended_at),
        dictGet('${database}.agent_metadata', 'package', agent_key, ended_at)) AS package,
    if(dictHas('${database}.agent_metadata_changes', toUInt64(0), toDateTime(0))
            AND dictHas('${database}.agent_metadata_changes', agent_key, ended_at),
        dictGet('${database}.agent_metadata_changes', 'country', agent_key, ended_at),
        dictGet('${database}.agent_metadata', 'country', agent_key, ended_at)) AS country,
    nullIf(if(dictHas('${database}.agent_metadata_changes', toUInt64(0), toDateTime(0))
            AND dictHas('${database}.agent_metadata_changes', agent_key, ended_at),
        dictGet('${database}.agent_metadata_changes', 'kind', agent_key, ended_at),
        dictGet('${database}.agent_metadata', 'kind', agent_key, ended_at)), '') AS kind,
    JSONExtract(if(dictHas('${database}.agent_metadata_changes', toUInt64(0), toDateTime(0))
            AND dictHas('${database}.agent_metadata_changes', agent_key, ended_at),
        dictGet('${database}.agent_metadata_changes', 'custom_json', agent_key, ended_at),
        dictGet('${database}.agent_metadata', 'custom_json', agent_key, ended_at)), 'Map(String, String)') AS custom,
    if(dictHas('${database}.agent_metadata_changes', toUInt64(0), toDateTime(0))
            AND dictHas('${database}.agent_metadata_changes', agent_key, ended_at),
        dictGet('${database}.agent_metadata_changes', 'timezone', agent_key, ended_at),
        dictGet('${database}.agent_metadata', 'timezone', agent_key, ended_at)) AS timezone,
    dateDiff('second', ended_at, local_time) AS utc_offset_s,
    local_time,
    toDate(local_time) AS local_date,
    toHour(local_time) AS local_hour
FROM last_rows_httpget FINAL
WHERE
    successes > 0
SETTINGS
    do_not_merge_across_partitions_select_final = 1,
    prefer_column_name_to_alias = 1;

CREATE OR REPLACE VIEW metric_dnsFail ON CLUSTER panel DEFINER = '${user}' SQL SECURITY DEFINER AS
WITH
    toDateTime(dtime) AS ended_at,
    dictGet('${database}.timezone_span',
        ('utc_offset_s', 'first_change_at', 'first_change_s', 'second_change_at', 'second_change_s'),
        if(dictHas('${database}.agent_metadata_changes', toUInt64(0), toDateTime(0))
            AND dictHas('${database}.agent_metadata_changes', agent_key, ended_at),
        dictGet('${database}.agent_metadata_changes', 'timezone_hash', agent_key, ended_at),
        dictGet('${database}.agent_metadata', 'timezone_hash', agent_key, ended_at)) + bitShiftRight(toUnixTimestamp(ended_at), 22)) AS clock,
    addSeconds(ended_at, clock.utc_offset_s
        + (ended_at >= clock.first_change_at) * clock.first_change_s
        + (ended_at >= clock.second_change_at) * clock.second_change_s) AS local_time
SELECT
    organisation_id,
    agent_key,
    agent_id,
    unit_id,
    dtime,
    100 * failures / (successes + failures) AS value,
    toFloat64((successes + failures)) AS weight,
    toBool(ifNull((successes + failures) <= 1000, 0)) AS passes_prefilter,
    toBool(position(concat(',', ifNull(JSONExtract(if(dictHas('${database}.agent_metadata_changes', toUInt64(0), toDateTime(0))
            AND dictHas('${database}.agent_metadata_changes', agent_key, ended_at),
        dictGet('${database}.agent_metadata_changes', 'custom_json', agent_key, ended_at),
        dictGet('${database}.agent_metadata', 'custom_json', agent_key, ended_at)), 'excluded_metrics', 'Nullable(String)'), ''), ','), ',dnsFail,') > 0) AS excluded,
    nullIf(base, '') AS base,
    ip_version,
    nullIf(nameserver, '') AS nameserver,
    nullIf(lookup_host, '') AS lookup_host,
    nullIf(record_type, '') AS record_type,
    if(dictHas('${database}.agent_metadata_changes', toUInt64(0), toDateTime(0))
            AND dictHas('${database}.agent_metadata_changes', agent_key, ended_at),
        dictGet('${database}.agent_metadata_changes', 'isp', agent_key, ended_at),
        dictGet('${database}.agent_metadata', 'isp', agent_key, ended_at)) AS isp,
    if(dictHas('${database}.agent_metadata_changes', toUInt64(0), toDateTime(0))
            AND dictHas('${database}.agent_metadata_changes', agent_key, ended_at),
        dictGet('${database}.agent_metadata_changes', 'package', agent_key, ended_at),
        dictGet('${database}.agent_metadata', 'package', agent_key, ended_at)) AS package,
    if(dictHas('${database}.agent_metadata_changes', toUInt64(0), toDateTime(0))
            AND dictHas('${database}.agent_metadata_changes', agent_key, ended_at),
        dictGet('${database}.agent_metadata_changes', 'country', agent_key, ended_at),
        dictGet('${database}.agent_metadata', 'country', agent_key, ended_at)) AS country,
    nullIf(if(dictHas('${database}.agent_metadata_changes', toUInt64(0), toDateTime(0))
            AND dictHas('${database}.agent_metadata_changes', agent_key, ended_at),
        dictGet('${database}.agent_metadata_changes', 'kind', agent_key, ended_at),
        dictGet('${database}.agent_metadata', 'kind', agent_key, ended_at)), '') AS kind,
    JSONExtract(if(dictHas('${database}.agent_metadata_changes', toUInt64(0), toDateTime(0))
            AND dictHas('${database}.agent_metadata_changes', agent_key, ended_at),
        dictGet('${database}.agent_metadata_changes', 'custom_json', agent_key, ended_at),
        dictGet('${database}.agent_metadata', 'custom_json', agent_key, ended_at)), 'Map(String, String)') AS custom,
    if(dictHas('${database}.agent_metadata_changes', toUInt64(0), toDateTime(0))
            AND dictHas('${database}.agent_metadata_changes', agent_key, ended_at),
        dictGet('${database}.agent_metadata_changes', 'timezone', agent_key, ended_at),
        dictGet('${database}.agent_metadata', 'timezone', agent_key, ended_at)) AS timezone,
    dateDiff('second', ended_at, local_time) AS utc_offset_s,
    local_time,
    toDate(local_time) AS local_date,
    toHour(local_time) AS local_hour
FROM test_dns FINAL
WHERE
    (successes + failures) > 0
SETTINGS
    do_not_merge_across_partitions_select_final = 1,
    prefer_column_name_to_alias = 1;
