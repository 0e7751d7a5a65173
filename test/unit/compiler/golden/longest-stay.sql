-- POST /metric_data
-- {
--   "metric": "httpget", "chartType": "aggregate", "aggregation": "total", "normalised": false,
--   "prefilter": false, "time": { "from": "2026-01-01", "to": "2026-01-31" },
--   "switchers": "longest", "relativeTo": "advertised", "shares": { "thresholds": [90], "of": "results" },
--   "sharesAtMost": { "thresholds": [50], "of": "results" }
-- }

-- custom_key String "advertised"
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
WITH
    -- Rows of the test in the range, also those without a value, with metadata and local time when they ran.
    results AS (
        WITH
            toLowCardinality(custom_hash) AS customs
        SELECT
            agent_key,
            unit_id,
            toDateTime(dtime) AS ended_at,
            toDate(local_time) AS local_day,
            plan_hash AS stay,
            CAST(dictGet('custom_value', 'positive_number', sipHash64(customs, {custom_key:String})),
                'Nullable(Float64)') AS relative_to,
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
            AND throwIf(customs != 0 AND NOT dictHas('custom_value', sipHash64(customs)),
                'custom values are being loaded: send the request again') = 0
    ),
    -- Each stay of a household with one ISP and package on its own.
    per_stay AS (
        SELECT
            agent_key,
            stay,
            groupUniqArrayIf(local_day, has_value) AS stay_days,
            maxIf(ended_at, has_value) AS stay_end
        FROM results
        GROUP BY agent_key, stay
    ),
    -- A stay is as long as its local days with results, then by its end.
    stay_lengths AS (
        SELECT
            agent_key,
            stay,
            (uniqExactArray(stay_days) OVER (PARTITION BY agent_key, stay),
                max(stay_end) OVER (PARTITION BY agent_key, stay), stay) AS stay_length
        FROM per_stay
    ),
    -- The longest stay of each household counts.
    stays AS (
        SELECT
            agent_key,
            stay,
            stay_length = max(stay_length) OVER (PARTITION BY agent_key) AS is_kept
        FROM stay_lengths
    ),
    -- Marks the results of the stays that count.
    kept AS (
        SELECT
            *,
            (agent_key, stay) IN (
                SELECT agent_key, stay FROM stays WHERE is_kept) AS is_kept
        FROM results
    ),
    -- The results of the points: one that is left out has no value.
    counted AS (
        SELECT
            agent_key,
            unit_id,
            if(has_value AND is_kept AND relative_to IS NOT NULL, 100 * value / relative_to, NULL) AS value,
            has_value,
            has_value AND NOT is_kept AS is_results_of_switchers,
            has_value AND is_kept AND relative_to IS NULL AS is_results_without_field
        FROM kept
    ),
    -- One row per point: the statistics of values of equal weight.
    statistics AS (
        SELECT
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
            sum(is_results_of_switchers) AS results_of_switchers,
            sum(is_results_without_field) AS results_without_field,
            toUInt64(uniqExact(agent_key)
                - uniqExactIf(agent_key, has_value)) AS households_without_value,
            [
                countIf(round(value, 9) <= round(50, 9)) / count(value),
                countIf(round(value, 9) >= round(90, 9)) / count(value)
            ] AS share_values
        FROM counted
        HAVING count() > 0
    )
-- The points, under the names of the answer.
SELECT
    if(agents >= 1, mean, NULL) AS metricValue,
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
    mapApply(
        (name, number) -> (name, if(agents >= 1, number, NULL)),
        map(
            '90', share_values[2])) AS shares,
    mapApply(
        (name, number) -> (name, if(agents >= 1, number, NULL)),
        map(
            '50', share_values[1])) AS sharesAtMost,
    map(
            'resultsOfSwitchers', results_of_switchers,
            'resultsWithoutField', results_without_field,
            'householdsWithoutValue', households_without_value) AS leftOut
FROM statistics
SETTINGS
    do_not_merge_across_partitions_select_final = 1,
    prefer_column_name_to_alias = 1,
    output_format_json_quote_64bit_integers = 0,
    query_plan_execute_functions_after_sorting = 0,
    short_circuit_function_evaluation = 'disable'
