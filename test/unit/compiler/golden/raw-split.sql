-- p0 DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- p1 DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- p2 UInt32 7
-- p3 DateTime('UTC') "2026-01-01 00:00:00"
-- p4 DateTime('UTC') "2026-01-31 23:59:59"
SELECT
    s0 AS isp,
    s1 AS agent,
    x AS metricValue,
    formatDateTime(local_time, '%Y-%m-%dT%H:%i:%S') AS dtime,
    toString(unit_id) AS unit
FROM (
    WITH
        toDateTime(dtime) AS ended_at,
        dictGet('agent_metadata', ('timezone', 'isp'), agent_key, ended_at) AS metadata,
        addSeconds(ended_at, dictGetOrDefault('timezone_offset', 'utc_offset_s', ifNull(metadata.timezone, 'UTC'), ended_at, 0)) AS local_time
    SELECT
        metadata.isp AS s0,
        nullIf(agent_id, '') AS s1,
        agent_id,
        unit_id,
        local_time,
        toFloat64(bytes_sec * 8 / 1e6) AS x
    FROM test_httpget FINAL
    WHERE
        organisation_id = {p2:UInt32}
        AND toDate(dtime) >= toDate({p0:DateTime64(3, 'UTC')})
        AND toDate(dtime) <= toDate({p1:DateTime64(3, 'UTC')})
        AND dtime >= {p0:DateTime64(3, 'UTC')}
        AND dtime < {p1:DateTime64(3, 'UTC')}
        AND local_time >= {p3:DateTime('UTC')}
        AND local_time <= {p4:DateTime('UTC')}
        AND successes > 0
        AND (
            (SELECT count() FROM test_httpget WHERE organisation_id = {p2:UInt32} AND toDate(dtime) >= toDate({p0:DateTime64(3, 'UTC')}) AND toDate(dtime) <= toDate({p1:DateTime64(3, 'UTC')}) AND dtime >= {p0:DateTime64(3, 'UTC')} AND dtime < {p1:DateTime64(3, 'UTC')} AND sequence > 0) = 0
            OR sequence > 0 AND (agent_key, dtime, target, threads, ip_version, sequence) IN (SELECT agent_key, dtime, target, threads, ip_version, max(sequence) FROM test_httpget WHERE organisation_id = {p2:UInt32} AND toDate(dtime) >= toDate({p0:DateTime64(3, 'UTC')}) AND toDate(dtime) <= toDate({p1:DateTime64(3, 'UTC')}) AND dtime >= {p0:DateTime64(3, 'UTC')} AND dtime < {p1:DateTime64(3, 'UTC')} AND sequence > 0 GROUP BY agent_key, dtime, target, threads, ip_version)
            OR NOT (sequence > 0) AND (agent_key, dtime, target, threads, ip_version) NOT IN (SELECT agent_key, dtime, target, threads, ip_version FROM test_httpget WHERE organisation_id = {p2:UInt32} AND toDate(dtime) >= toDate({p0:DateTime64(3, 'UTC')}) AND toDate(dtime) <= toDate({p1:DateTime64(3, 'UTC')}) AND dtime >= {p0:DateTime64(3, 'UTC')} AND dtime < {p1:DateTime64(3, 'UTC')} AND sequence > 0)
        )
)
ORDER BY s0, s1, local_time, agent_id, unit_id, x
SETTINGS
    do_not_merge_across_partitions_select_final = 1,
    prefer_column_name_to_alias = 1,
    output_format_json_quote_64bit_integers = 0
