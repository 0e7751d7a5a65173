-- POST /metric_data
-- {
--   "metric": "httpget", "chartType": "raw", "normalised": true,
--   "prefilter": false, "time": { "from": "2026-01-01", "to": "2026-01-31" },
--   "splits": ["isp", "agent", "unit"]
-- }

-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
WITH
    -- Results of the test in the range, with the metadata and local time of their household when they ran.
    results AS (
        SELECT
            isp,
            nullIf(agent_id, '') AS agent,
            unit_id,
            agent_id,
            local_time,
            toFloat64(bytes_sec * 8 / 1e6) AS value
        FROM results_httpget
        WHERE
            organisation_id = {organisation:UInt32}
            AND successes > 0
            AND toDate(dtime) >= toDate({from_utc:DateTime64(3, 'UTC')})
            AND toDate(dtime) <= toDate({end_utc:DateTime64(3, 'UTC')})
            AND dtime >= {from_utc:DateTime64(3, 'UTC')}
            AND dtime < {end_utc:DateTime64(3, 'UTC')}
            AND local_time BETWEEN {from:DateTime('UTC')} AND {to:DateTime('UTC')}
    )
-- The results in order of time.
SELECT
    isp,
    value AS metricValue,
    formatDateTime(local_time, '%Y-%m-%dT%H:%i:%S') AS dtime,
    agent_id AS agent,
    ifNull(toString(unit_id), '') AS unit
FROM results
ORDER BY local_time, agent_id, unit_id, value, isp, agent, unit_id
SETTINGS
    do_not_merge_across_partitions_select_final = 1,
    prefer_column_name_to_alias = 1,
    output_format_json_quote_64bit_integers = 0
