-- POST /test_data
-- { "test": "mobile_youtube", "date": { "from": "2026-01", "to": "now" } }

-- organisation UInt32 7
-- from DateTime64(3, 'UTC') "2026-01-01 00:00:00.000"
-- to DateTime64(3, 'UTC') "2026-02-14 10:20:30.999"
SELECT
    base,
    ddate,
    dtime,
    agent_id,
    unit_id,
    manufacturer,
    model,
    operating_system,
    operating_system_version,
    app_version,
    geo_country,
    connection_type,
    cellular_technology,
    carrier_name,
    is_roaming,
    cell_id,
    signal_strength,
    target,
    target_group,
    address,
    ip_version,
    video_id,
    bitrate,
    resolution,
    downthrpt,
    bytes_total,
    duration,
    connect_time,
    startup_delay,
    buffer_underruns,
    buffer_delay,
    successes,
    failures
FROM test_mobile_youtube FINAL
WHERE
    organisation_id = {organisation:UInt32}
    AND toDate(dtime) >= toDate({from:DateTime64(3, 'UTC')})
    AND toDate(dtime) <= toDate({to:DateTime64(3, 'UTC')})
    AND dtime >= {from:DateTime64(3, 'UTC')}
    AND dtime <= {to:DateTime64(3, 'UTC')}
ORDER BY toDate(dtime), agent_key, dtime, target, video_id, ip_version
SETTINGS
    do_not_merge_across_partitions_select_final = 1,
    prefer_column_name_to_alias = 1,
    output_format_json_quote_64bit_integers = 0
