-- POST /metric_data, with a privacy floor of 5 agents
-- {
--   "metric": "httpget", "chartType": "aggregate", "aggregation": "daily", "normalised": false,
--   "prefilter": false, "time": { "from": "2026-01-01", "to": "2026-01-31" },
--   "splits": ["isp"]
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
            agent_key,
            unit_id,
            toDate32(local_time) AS bucket,
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
    ),
    -- The agents that the privacy floor counts.
    floor_counts AS (
        SELECT
            *,
            agents AS floor_agents
        FROM statistics
    ),
    -- The agents of the smaller points of the bucket.
    smaller_points AS (
        SELECT
            *,
            min(floor_agents) OVER (PARTITION BY bucket) AS fewest_agents,
            sum(floor_agents) OVER (PARTITION BY bucket
                ORDER BY floor_agents,
                    isp
                ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS smaller_agents
        FROM floor_counts
    ),
    -- The points that are shown, without numbers that would show a household.
    floored AS (
        SELECT
            * REPLACE (
                CAST(NULL, 'Nullable(Float64)') AS lowest,
                CAST(NULL, 'Nullable(Float64)') AS highest,
                arrayMap(
                    (quantile, percent) -> if(floor_agents * least(percent, 100 - percent) >= 500, quantile, NULL),
                    quantiles, [1, 5, 10, 20, 25, 50, 75, 80, 90, 95, 99]) AS quantiles),
            least(floor_agents >= 5, greatest(fewest_agents >= 5, smaller_agents >= 5)) AS is_shown
        FROM smaller_points
    )
-- The points, under the names of the answer.
SELECT
    isp,
    if(is_shown, mean, NULL) AS metricValue,
    toString(bucket) AS dtime,
    if(is_shown, deviation, NULL) AS stdDev,
    if(is_shown, samples, NULL) AS sampleCount,
    if(is_shown, agents, NULL) AS agentCount,
    if(is_shown, units, NULL) AS unitCount,
    if(is_shown, 1.644854 * deviation / sqrt(effective_count), NULL) AS ci90,
    if(is_shown, 1.959964 * deviation / sqrt(effective_count), NULL) AS ci95,
    if(is_shown, 2.575829 * deviation / sqrt(effective_count), NULL) AS ci99,
    if(is_shown, lowest, NULL) AS min,
    if(is_shown, highest, NULL) AS max,
    if(is_shown, quantiles[6], NULL) AS median,
    mapApply(
        (name, number) -> (name, if(is_shown, number, NULL)),
        mapFromArrays(['1', '5', '10', '20', '25', '50', '75', '80', '90', '95', '99'], quantiles)) AS percentiles,
    CAST(NOT is_shown, 'Bool') AS suppressed
FROM floored
ORDER BY isp, bucket
SETTINGS
    do_not_merge_across_partitions_select_final = 1,
    prefer_column_name_to_alias = 1,
    output_format_json_quote_64bit_integers = 0,
    query_plan_execute_functions_after_sorting = 0
