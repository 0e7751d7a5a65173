-- p0 DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- p1 DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- p2 UInt32 7
-- p3 DateTime('UTC') "2026-01-01 00:00:00"
-- p4 DateTime('UTC') "2026-01-31 23:59:59"
SELECT
    mean AS metricValue,
    deviation AS stdDev,
    samples AS sampleCount,
    agents AS agentCount,
    units AS unitCount,
    1.644854 * deviation / sqrt(effective_count) AS ci90,
    1.959964 * deviation / sqrt(effective_count) AS ci95,
    2.575829 * deviation / sqrt(effective_count) AS ci99,
    lowest AS min,
    highest AS max,
    quantiles[6] AS median,
    mapFromArrays(['1', '5', '10', '20', '25', '50', '75', '80', '90', '95', '99'], quantiles) AS percentiles
FROM (
    SELECT
        avg(x) AS mean,
        stddevPopStable(x) AS deviation,
        toFloat64(count()) AS effective_count,
        min(x) AS lowest,
        max(x) AS highest,
        quantilesExactInclusive(0.01, 0.05, 0.1, 0.2, 0.25, 0.5, 0.75, 0.8, 0.9, 0.95, 0.99)(x) AS quantiles,
        count() AS samples,
        uniqExact(agent_key) AS agents,
        uniqExact(unit_id) AS units
    FROM (
        WITH
            toDateTime(dtime) AS ended_at,
            dictGet('agent_metadata', 'timezone', agent_key, ended_at) AS metadata,
            addSeconds(ended_at, dictGetOrDefault('timezone_offset', 'utc_offset_s', ifNull(metadata, 'UTC'), ended_at, 0)) AS local_time
        SELECT
            agent_key,
            unit_id,
            toFloat64(rtt / 1000) AS x
        FROM test_dns FINAL
        WHERE
            organisation_id = {p2:UInt32}
            AND toDate(dtime) >= toDate({p0:DateTime64(3, 'UTC')})
            AND toDate(dtime) <= toDate({p1:DateTime64(3, 'UTC')})
            AND dtime >= {p0:DateTime64(3, 'UTC')}
            AND dtime < {p1:DateTime64(3, 'UTC')}
            AND local_time >= {p3:DateTime('UTC')}
            AND local_time <= {p4:DateTime('UTC')}
            AND successes > 0
            AND rtt > 0 AND rtt <= 10000000
    )
    HAVING samples > 0
)
SETTINGS
    do_not_merge_across_partitions_select_final = 1,
    prefer_column_name_to_alias = 1,
    output_format_json_quote_64bit_integers = 0
