-- POST /metric_data
-- {
--   "metric": "dnsFail", "chartType": "aggregate", "aggregation": "daily", "normalised": false,
--   "prefilter": false, "time": { "from": "2026-01-01", "to": "2026-01-31" }
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
            agent_key,
            unit_id,
            toDate32(local_time) AS bucket,
            100 * failures / (successes + failures) AS value,
            toFloat64((successes + failures)) AS own_weight
        FROM results_dns
        WHERE
            organisation_id = {organisation:UInt32}
            AND (successes + failures) > 0
            AND toDate(dtime) >= toDate({from_utc:DateTime64(3, 'UTC')})
            AND toDate(dtime) <= toDate({end_utc:DateTime64(3, 'UTC')})
            AND dtime >= {from_utc:DateTime64(3, 'UTC')}
            AND dtime < {end_utc:DateTime64(3, 'UTC')}
            AND local_time BETWEEN {from:DateTime('UTC')} AND {to:DateTime('UTC')}
    ),
    -- The sorted values of each point, with their weights.
    points AS (
        SELECT
            bucket,
            arraySort(point -> point.1, groupArray((value, own_weight))) AS points,
            count() AS samples,
            uniqExact(agent_key) AS agents,
            uniqExact(unit_id) AS units
        FROM results
        GROUP BY bucket
    ),
    -- The place of each value on the scale of cumulative weights.
    midpoints AS (
        SELECT
            bucket,
            samples,
            agents,
            units,
            points.1 AS xs,
            arrayFlatten(arrayMap(run -> arraySort(run),
                arraySplit((w, step) -> step != 0, points.2, arrayDifference(xs)))) AS ws,
            arrayMap((reached, w) -> reached - w / 2, arrayCumSum(ws), ws) AS midpoints,
            midpoints[1] AS first_midpoint,
            midpoints[-1] - first_midpoint AS span,
            arrayZip(xs, midpoints) AS positioned_values
        FROM points
    ),
    -- The weighted mean.
    centred AS (
        SELECT
            *,
            arraySum(ws) AS total_weight,
            clamp(arraySum((x, w) -> x * w, xs, ws) / total_weight, xs[1], xs[-1]) AS mean
        FROM midpoints
    ),
    -- One row per point: the statistics of weighted values.
    statistics AS (
        SELECT
            bucket,
            samples,
            agents,
            units,
            mean,
            sqrt(arraySum((x, w) -> w * (x - mean) * (x - mean), xs, ws) / total_weight) AS deviation,
            pow(total_weight, 2) / arraySum(w -> w * w, ws) AS effective_count,
            xs[1] AS lowest,
            xs[-1] AS highest,
            arrayMap(
                (level, around) -> around[1].1 + if(length(around) = 1, 0,
                    (around[2].1 - around[1].1)
                        * (first_midpoint + level * span - around[1].2) / (around[2].2 - around[1].2)),
                [0.01, 0.05, 0.1, 0.2, 0.25, 0.5, 0.75, 0.8, 0.9, 0.95, 0.99],
                [
                    arraySlice(positioned_values,
                        arrayCount(midpoint -> midpoint <= first_midpoint + 0.01 * span, midpoints), 2),
                    arraySlice(positioned_values,
                        arrayCount(midpoint -> midpoint <= first_midpoint + 0.05 * span, midpoints), 2),
                    arraySlice(positioned_values,
                        arrayCount(midpoint -> midpoint <= first_midpoint + 0.1 * span, midpoints), 2),
                    arraySlice(positioned_values,
                        arrayCount(midpoint -> midpoint <= first_midpoint + 0.2 * span, midpoints), 2),
                    arraySlice(positioned_values,
                        arrayCount(midpoint -> midpoint <= first_midpoint + 0.25 * span, midpoints), 2),
                    arraySlice(positioned_values,
                        arrayCount(midpoint -> midpoint <= first_midpoint + 0.5 * span, midpoints), 2),
                    arraySlice(positioned_values,
                        arrayCount(midpoint -> midpoint <= first_midpoint + 0.75 * span, midpoints), 2),
                    arraySlice(positioned_values,
                        arrayCount(midpoint -> midpoint <= first_midpoint + 0.8 * span, midpoints), 2),
                    arraySlice(positioned_values,
                        arrayCount(midpoint -> midpoint <= first_midpoint + 0.9 * span, midpoints), 2),
                    arraySlice(positioned_values,
                        arrayCount(midpoint -> midpoint <= first_midpoint + 0.95 * span, midpoints), 2),
                    arraySlice(positioned_values,
                        arrayCount(midpoint -> midpoint <= first_midpoint + 0.99 * span, midpoints), 2)
                ]) AS quantiles
        FROM centred
    )
-- The points, under the names of the answer.
SELECT
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
ORDER BY bucket
SETTINGS
    do_not_merge_across_partitions_select_final = 1,
    prefer_column_name_to_alias = 1,
    output_format_json_quote_64bit_integers = 0,
    query_plan_execute_functions_after_sorting = 0
