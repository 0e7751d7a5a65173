-- POST /metric_data
-- {
--   "metric": "cellDownload", "chartType": "aggregate", "aggregation": "monthly", "normalised": false,
--   "prefilter": true, "time": { "from": "2026-01-01", "to": "2026-01-31" }, "splits": ["country"]
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
            country,
            agent_key,
            unit_id,
            toDate32(toStartOfInterval(local_time, INTERVAL 1 MONTH)) AS bucket,
            download_count AS samples,
            toFloat64(download_min * 8 / 1e6) AS lowest,
            toFloat64(download_max * 8 / 1e6) AS highest,
            [
                toFloat64(download_p1 * 8 / 1e6),
                toFloat64(download_p5 * 8 / 1e6),
                toFloat64(download_p10 * 8 / 1e6),
                toFloat64(download_p20 * 8 / 1e6),
                toFloat64(download_p25 * 8 / 1e6),
                toFloat64(download_p50 * 8 / 1e6),
                toFloat64(download_p75 * 8 / 1e6),
                toFloat64(download_p80 * 8 / 1e6),
                toFloat64(download_p90 * 8 / 1e6),
                toFloat64(download_p95 * 8 / 1e6),
                toFloat64(download_p99 * 8 / 1e6)] AS quantiles,
            toFloat64(download_mean * 8 / 1e6) AS value
        FROM results_cells
        WHERE
            organisation_id = {organisation:UInt32}
            AND download_count > 0
            AND coalesce(download_p5 <= download_p95, download_p25 <= download_p75, 1)
            AND toDate(dtime) >= toDate({from_utc:DateTime64(3, 'UTC')})
            AND toDate(dtime) <= toDate({end_utc:DateTime64(3, 'UTC')})
            AND dtime >= {from_utc:DateTime64(3, 'UTC')}
            AND dtime < {end_utc:DateTime64(3, 'UTC')}
            AND local_time BETWEEN {from:DateTime('UTC')} AND {to:DateTime('UTC')}
    ),
    -- One row per point: the numbers of its cell as they were published.
    statistics AS (
        SELECT
            country,
            bucket,
            any(value) AS mean,
            any(samples) AS samples,
            any(lowest) AS lowest,
            any(highest) AS highest,
            any(quantiles) AS quantiles,
            any(samples) AS agents,
            CAST(NULL, 'Nullable(Float64)') AS deviation,
            CAST(NULL, 'Nullable(Float64)') AS effective_count
        FROM results
        GROUP BY country, bucket
        HAVING count() > 0 AND throwIf(count() > 1,
            'A point has several published cells, which cannot be combined without the results behind them') = 0
    )
-- The points, under the names of the answer.
SELECT
    country,
    mean AS metricValue,
    toString(bucket) AS dtime,
    deviation AS stdDev,
    samples AS sampleCount,
    CAST(NULL, 'Nullable(UInt64)') AS agentCount,
    CAST(NULL, 'Nullable(UInt64)') AS unitCount,
    1.644854 * deviation / sqrt(effective_count) AS ci90,
    1.959964 * deviation / sqrt(effective_count) AS ci95,
    2.575829 * deviation / sqrt(effective_count) AS ci99,
    lowest AS min,
    highest AS max,
    quantiles[6] AS median,
    mapFromArrays(['1', '5', '10', '20', '25', '50', '75', '80', '90', '95', '99'], quantiles) AS percentiles
FROM statistics
ORDER BY country, bucket
SETTINGS
    do_not_merge_across_partitions_select_final = 1,
    prefer_column_name_to_alias = 1,
    output_format_json_quote_64bit_integers = 0,
    query_plan_execute_functions_after_sorting = 0
