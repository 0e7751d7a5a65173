CREATE OR REPLACE VIEW results_dns_shard ON CLUSTER panel DEFINER = '${user}' SQL SECURITY DEFINER AS
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
    toHour(local_time) AS local_hour,
    toUInt64(hashes) AS custom_hash,
    if(dictHas('${database}.agent_metadata_changes', toUInt64(0), toDateTime(0))
            AND dictHas('${database}.agent_metadata_changes', agent_key, ended_at),
        dictGet('${database}.agent_metadata_changes', 'plan_hash', agent_key, ended_at),
        dictGet('${database}.agent_metadata', 'plan_hash', agent_key, ended_at)) AS plan_hash
FROM test_dns_shard FINAL
SETTINGS
    do_not_merge_across_partitions_select_final = 1,
    prefer_column_name_to_alias = 1;

CREATE OR REPLACE TABLE results_dns ON CLUSTER panel AS results_dns_shard
ENGINE = Distributed('panel', '${database}', 'results_dns_shard');
