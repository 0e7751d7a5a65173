-- p0 DateTime64(3, 'UTC') "2026-01-01 00:00:00.000"
-- p1 DateTime64(3, 'UTC') "2026-02-14 10:20:30.999"
-- p2 UInt32 7
SELECT
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
    target_group
FROM test_httpget FINAL
WHERE
    organisation_id = {p2:UInt32}
    AND toDate(dtime) >= toDate({p0:DateTime64(3, 'UTC')})
    AND toDate(dtime) <= toDate({p1:DateTime64(3, 'UTC')})
    AND dtime >= {p0:DateTime64(3, 'UTC')}
    AND dtime <= {p1:DateTime64(3, 'UTC')}
ORDER BY toDate(dtime), agent_key, dtime, target, sequence, threads, ip_version
SETTINGS
    do_not_merge_across_partitions_select_final = 1,
    prefer_column_name_to_alias = 1,
    output_format_json_quote_64bit_integers = 0
