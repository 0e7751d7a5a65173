-- POST /metric_data
-- {
--   "metric": "httpget", "chartType": "aggregate", "aggregation": "daily", "normalised": false,
--   "prefilter": false, "time": { "from": "2026-01-01", "to": "2026-01-31" },
--   "splits": ["isp"], "knownAt": "2026-02-01 00:00"
-- }

-- organisation UInt32 7
-- change UInt64 42
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
WITH
    -- Results of the test in the range, with the metadata and local time of their household when they ran.
    results AS (
        WITH
            toDateTime(dtime) AS ended_at,
            CAST((
                known.timezone,
                known.isp),
                'Tuple(
                    timezone Nullable(String),
                    isp Nullable(String))') AS metadata,
            dictGet('timezone_span',
                ('utc_offset_s', 'first_change_at', 'first_change_s', 'second_change_at', 'second_change_s'),
                ifNull(cityHash64(known.timezone), 0) + bitShiftRight(toUnixTimestamp(ended_at), 22)) AS clock,
            addSeconds(ended_at, clock.utc_offset_s
                + (ended_at >= clock.first_change_at) * clock.first_change_s
                + (ended_at >= clock.second_change_at) * clock.second_change_s) AS local_time
        SELECT
            metadata.isp AS isp,
            agent_key,
            unit_id,
            toDate32(local_time) AS bucket,
            toFloat64(bytes_sec * 8 / 1e6) AS value
        FROM (SELECT * EXCEPT (isp, package, timezone, local_time) FROM results_httpget) AS results_of_test
        ASOF LEFT JOIN (
            SELECT
                agent_key AS known_agent,
                valid_from AS known_from,
                timezone,
                isp
            FROM agent_metadata_known_at
            WHERE organisation_id = {organisation:UInt32} AND fill = (
                SELECT argMax(fill, filled_at)
                FROM agent_metadata_known_at_fill
                WHERE organisation_id = {organisation:UInt32} AND change_id = {change:UInt64}
                HAVING throwIf(count() = 0, 'its copied metadata has expired: send the request again') = 0
            )
        ) AS known ON known_agent = agent_key AND known_from <= toDateTime(dtime)
        WHERE
            organisation_id = {organisation:UInt32}
            AND successes > 0
            AND toDate(dtime) >= toDate({from_utc:DateTime64(3, 'UTC')})
            AND toDate(dtime) <= toDate({end_utc:DateTime64(3, 'UTC')})
            AND dtime >= {from_utc:DateTime64(3, 'UTC')}
            AND dtime < {end_utc:DateTime64(3, 'UTC')}
            AND local_time BETWEEN {from:DateTime('UTC')} AND {to:DateTime('UTC')}
    ),
    -- One row per point: the statistics of values of equal weight.
    statistics AS (
        SELECT
            isp,
            bucket,
            clamp(avg(value), min(value), max(value)) AS mean,
            stddevPopStable(value) AS deviation,
            toFloat64(count(value)) AS effective_count,
            min(value) AS lowest,
            max(value) AS highest,
            quantilesExactInclusive(
                0.01, 0.05, 0.1, 0.2, 0.25, 0.5, 0.75, 0.8, 0.9, 0.95, 0.99)(value) AS quantiles,
            count() AS samples,
            uniqExact(agent_key) AS agents,
            uniqExact(unit_id) AS units
        FROM results
        GROUP BY isp, bucket
    )
-- The points, under the names of the answer.
SELECT
    isp,
    mean AS metricValue,
    toString(bucket) AS dtime,
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
FROM statistics
ORDER BY isp, bucket
SETTINGS
    do_not_merge_across_partitions_select_final = 1,
    prefer_column_name_to_alias = 1,
    output_format_json_quote_64bit_integers = 0,
    join_algorithm = 'hash',
    query_plan_execute_functions_after_sorting = 0
