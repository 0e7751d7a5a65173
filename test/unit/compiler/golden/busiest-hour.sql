-- POST /metric_data
-- {
--   "metric": "httpget", "chartType": "aggregate", "aggregation": "hour_of_day", "normalised": false,
--   "prefilter": false, "time": { "from": "2026-01-01", "to": "2026-01-31" },
--   "splits": ["isp"], "overBuckets": "busiest"
-- }

-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
WITH
    -- Rows of the test in the range, also those without a value, with metadata and local time when they ran.
    results AS (
        SELECT
            isp,
            agent_key,
            unit_id,
            toUInt32(toHour(local_time)) AS bucket,
            successes > 0 AS has_value,
            toFloat64(bytes_sec * 8 / 1e6) AS value
        FROM results_httpget
        WHERE
            organisation_id = {organisation:UInt32}
            AND toDate(dtime) >= toDate({from_utc:DateTime64(3, 'UTC')})
            AND toDate(dtime) <= toDate({end_utc:DateTime64(3, 'UTC')})
            AND dtime >= {from_utc:DateTime64(3, 'UTC')}
            AND dtime < {end_utc:DateTime64(3, 'UTC')}
            AND local_time BETWEEN {from:DateTime('UTC')} AND {to:DateTime('UTC')}
    ),
    -- The results of the points: one that is left out has no value.
    counted AS (
        SELECT
            isp,
            bucket,
            agent_key,
            unit_id,
            if(has_value, value, NULL) AS value,
            has_value
        FROM results
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
            count(value) AS samples,
            uniqExactIf(agent_key, isNotNull(value)) AS agents,
            uniqExactIf(unit_id, isNotNull(value)) AS units,
            toUInt64(uniqExact(agent_key)
                - uniqExactIf(agent_key, has_value)) AS households_without_value
        FROM counted
        GROUP BY isp, bucket
    ),
    -- One row per series: its bucket with the worst mean.
    over_buckets AS (
        SELECT
            *
        FROM statistics
        WHERE
            agents >= 1
        ORDER BY round(mean, 9), bucket
        LIMIT 1 BY isp
    )
-- The points, under the names of the answer.
SELECT
    isp,
    if(agents >= 1, mean, NULL) AS metricValue,
    bucket AS aggregatedNumber,
    if(agents >= 1, deviation, NULL) AS stdDev,
    samples AS sampleCount,
    agents AS agentCount,
    units AS unitCount,
    if(agents >= 1, 1.644854 * deviation / sqrt(effective_count), NULL) AS ci90,
    if(agents >= 1, 1.959964 * deviation / sqrt(effective_count), NULL) AS ci95,
    if(agents >= 1, 2.575829 * deviation / sqrt(effective_count), NULL) AS ci99,
    if(agents >= 1, lowest, NULL) AS min,
    if(agents >= 1, highest, NULL) AS max,
    if(agents >= 1, quantiles[6], NULL) AS median,
    mapApply(
        (name, number) -> (name, if(agents >= 1, number, NULL)),
        mapFromArrays(['1', '5', '10', '20', '25', '50', '75', '80', '90', '95', '99'], quantiles)) AS percentiles,
    map(
            'householdsWithoutValue', households_without_value) AS leftOut
FROM over_buckets
ORDER BY isp, bucket
SETTINGS
    do_not_merge_across_partitions_select_final = 1,
    prefer_column_name_to_alias = 1,
    output_format_json_quote_64bit_integers = 0,
    query_plan_execute_functions_after_sorting = 0,
    short_circuit_function_evaluation = 'disable'
