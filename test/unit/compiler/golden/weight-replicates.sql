-- POST /metric_data
-- {
--   "metric": "httpget", "chartType": "aggregate", "aggregation": "total", "normalised": false,
--   "prefilter": false, "time": { "from": "2026-01-01", "to": "2026-01-31" },
--   "household": { "statistic": "mean" }, "weight": "custom.weight", "weightReplicates": true
-- }

-- custom_key String "weight"
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
-- copy UUID "11111111-2222-3333-4444-555555555555"
WITH
    -- Rows of the test in the range, also those without a value, with metadata and local time when they ran.
    results AS (
        WITH
            toLowCardinality(custom_hash) AS customs
        SELECT
            agent_key,
            unit_id,
            CAST(dictGet('custom_value', 'positive_number', sipHash64(customs, {custom_key:String})),
                'Nullable(Float64)') AS household_weight,
            toDateTime(dtime) AS ended_at,
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
    -- One row per household, with what its results give.
    per_household AS (
        SELECT
            agent_key,
            countIf(has_value AND household_weight IS NOT NULL) AS result_count,
            avgIf(value, has_value AND household_weight IS NOT NULL) AS own_value,
            groupUniqArrayIf(unit_id, has_value AND household_weight IS NOT NULL) AS household_units,
            assumeNotNull(argMaxIf(household_weight, ended_at,
                has_value AND household_weight IS NOT NULL)) AS household_weight,
            maxIf(ended_at, has_value AND household_weight IS NOT NULL) AS last_ended_at,
            countIf(has_value) AS seen,
            countIf(NOT has_value) AS without_value,
            countIf(has_value AND household_weight IS NULL) AS results_without_weight
        FROM results
        GROUP BY agent_key
    ),
    -- The value of each household.
    households AS (
        SELECT
            household_units,
            result_count AS kept_count,
            household_weight AS weight,
            agent_key,
            last_ended_at,
            seen + without_value AS row_count,
            seen = 0 AND without_value > 0 AS households_without_value,
            results_without_weight,
            result_count > 0 AS is_counted,
            round(own_value, 9) AS value
        FROM per_household
    ),
    -- The replicate weights of each household, divided by its weight.
    replicated AS (
        SELECT
            *
        FROM households
        ASOF LEFT JOIN (
            SELECT agent_key AS replicated_agent, valid_from AS replicated_from, factors
            FROM weight_replicate
            WHERE organisation_id = {organisation:UInt32} AND copy = {copy:UUID}
        ) AS replicates ON replicated_agent = agent_key AND replicated_from <= last_ended_at
    ),
    -- The sorted values of each point, with their weights.
    points AS (
        SELECT
            arraySort(groupArrayIf((value, weight, factors), is_counted)) AS points,
            sumIf(kept_count, is_counted) AS samples,
            countIf(is_counted) AS agents,
            uniqExactArrayIf(household_units, is_counted) AS units,
            sum(results_without_weight) AS results_without_weight,
            sum(households_without_value) AS households_without_value
        FROM replicated
        HAVING sum(row_count) > 0
    ),
    -- The place of each value on the scale of cumulative weights.
    midpoints AS (
        SELECT
            samples,
            agents,
            units,
            results_without_weight,
            households_without_value,
            points.1 AS xs,
            points.2 AS ws,
            arrayMap((reached, w) -> reached - w / 2, arrayCumSum(ws), ws) AS midpoints,
            midpoints[1] AS first_midpoint,
            midpoints[-1] - first_midpoint AS span,
            arrayZip(xs, midpoints) AS positioned_values,
            points.3 AS factors_of
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
            samples,
            agents,
            units,
            results_without_weight,
            households_without_value,
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
                ]) AS quantiles,
            xs,
            ws,
            midpoints,
            first_midpoint,
            span,
            positioned_values,
            total_weight,
            factors_of
        FROM centred
    ),
    -- The weights of the households of a point in each replicate.
    replicate_weights AS (
        SELECT
            *,
            arrayMap((w, own) -> arrayMap(factor -> w * factor, own), ws, factors_of) AS replicate_weights,
            arrayReduce('sumForEach', replicate_weights) AS replicate_totals,
            if(arrayUniq(arrayMap(own -> length(own), factors_of)) = 1
                    AND arrayMin(replicate_totals) > 0, length(replicate_totals), 0) AS replicate_count
        FROM statistics
    ),
    -- The standard error with households as the sample, and Student's t.
    intervals AS (
        SELECT
            *,
            if(replicate_count < 2, NULL, sqrt(
                    (replicate_count - 1) / replicate_count * arraySum(z -> z * z,
                        arrayMap((sum, total) -> sum / total,
                        arrayReduce('sumForEach', arrayMap(
                            (x, own) -> arrayMap(w -> w * (x - ifNull(mean, 0)), own),
                            xs, replicate_weights)),
                        replicate_totals)))) AS household_error,
            arrayMap(k -> pow(3 / (2 * (replicate_count - 1) + 1), k), range(19)) AS t_powers,
            exp(arrayDotProduct(t_powers, [
                0.4976513996817, 0.6175905757022, 0.398897621571, 0.2159079268974, 0.0849260608956,
                0.0222124399976, 0.0118207992577, 0.0065240858443, -0.0240473588568, -0.0622680530005,
                0.3319841143059, -0.7425634477372, 1.0903466254529, -1.1408441059132, 0.8661354572713,
                -0.4699962106278, 0.1734595597022, -0.0390572509393, 0.0040497951963])) AS t90,
            exp(arrayDotProduct(t_powers, [
                0.6729260978389, 0.8069098034658, 0.583452339744, 0.3443680374792, 0.1341152477661,
                0.012690523411, -0.0088743076576, 0.0017343869703, -0.0147206847441, -0.132754494548,
                0.5728487582746, -1.1760638405872, 1.6439923938403, -1.658080102276, 1.2001875302914,
                -0.6088829263837, 0.2066715538326, -0.0424445720813, 0.0040146914243])) AS t95,
            exp(arrayDotProduct(t_powers, [
                0.9461715418953, 1.2724827675554, 1.1389417241282, 0.7619139813064, 0.2270976905719,
                -0.1786579656041, -0.2175859026764, 0.1805286866367, -0.3794888332264, 2.0361000874585,
                -5.6456685672907, 12.7677341871376, -22.8254313400336, 29.1823370974198, -25.7363813923508,
                15.3580868970262, -5.9575326148317, 1.3630709054441, -0.1402137213064])) AS t99
        FROM replicate_weights
    )
-- The points, under the names of the answer.
SELECT
    if(agents >= 1, mean, NULL) AS metricValue,
    if(agents >= 1, deviation, NULL) AS stdDev,
    samples AS sampleCount,
    agents AS agentCount,
    units AS unitCount,
    if(agents >= 1, t90 * household_error, NULL) AS ci90,
    if(agents >= 1, t95 * household_error, NULL) AS ci95,
    if(agents >= 1, t99 * household_error, NULL) AS ci99,
    if(agents >= 1, lowest, NULL) AS min,
    if(agents >= 1, highest, NULL) AS max,
    if(agents >= 1, quantiles[6], NULL) AS median,
    mapApply(
        (name, number) -> (name, if(agents >= 1, number, NULL)),
        mapFromArrays(['1', '5', '10', '20', '25', '50', '75', '80', '90', '95', '99'], quantiles)) AS percentiles,
    if(agents >= 1, effective_count, NULL) AS effectiveHouseholds,
    if(agents >= 1, agents / effective_count, NULL) AS designEffect,
    map(
            'resultsWithoutWeight', results_without_weight,
            'householdsWithoutValue', households_without_value) AS leftOut
FROM intervals
SETTINGS
    do_not_merge_across_partitions_select_final = 1,
    prefer_column_name_to_alias = 1,
    output_format_json_quote_64bit_integers = 0,
    query_plan_execute_functions_after_sorting = 0,
    short_circuit_function_evaluation = 'disable'
