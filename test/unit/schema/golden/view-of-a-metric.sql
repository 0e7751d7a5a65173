CREATE OR REPLACE VIEW metric_dnsFail ON CLUSTER panel DEFINER = '${user}' SQL SECURITY DEFINER AS
WITH
    toDateTime(dtime) AS ended_at,
    if(dictHas('${database}.agent_metadata_changes', toUInt64(0), toDateTime(0))
            AND dictHas('${database}.agent_metadata_changes', agent_key, ended_at),
        dictGet('${database}.agent_metadata_changes', 'timezone_custom_hash', agent_key, ended_at),
        dictGet('${database}.agent_metadata', 'timezone_custom_hash', agent_key, ended_at)) AS hashes,
    dictGet('${database}.timezone_span',
        ('utc_offset_s', 'first_change_at', 'first_change_s', 'second_change_at', 'second_change_s'),
        toUInt64(bitShiftRight(hashes, 64)) + bitShiftRight(toUnixTimestamp(ended_at), 22)) AS clock,
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
