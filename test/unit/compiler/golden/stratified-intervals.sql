-- POST /metric_data
-- {
--   "metric": "httpget", "chartType": "aggregate", "aggregation": "total", "normalised": false,
--   "prefilter": false, "time": { "from": "2026-01-01", "to": "2026-01-31" },
--   "household": { "statistic": "mean" }, "strata": "isp", "intervalsOf": [5, 50]
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
            agent_key,
            unit_id,
            sipHash64(ifNull(isp, '')) AS stratum,
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
    ),
    -- One row per household, with what its results give.
    per_household AS (
        SELECT
            agent_key,
            countIf(has_value) AS result_count,
            avgIf(value, has_value) AS own_value,
            groupUniqArrayIf(unit_id, has_value) AS household_units,
            argMaxIf(stratum, ended_at,
                has_value) AS stratum,
            countIf(has_value) AS seen,
            countIf(NOT has_value) AS without_value
        FROM results
        GROUP BY agent_key
    ),
    -- The value of each household.
    households AS (
        SELECT
            household_units,
            result_count AS kept_count,
            stratum,
            seen + without_value AS row_count,
            seen = 0 AND without_value > 0 AS households_without_value,
            result_count > 0 AS is_counted,
            if(is_counted, round(own_value, 9), NULL) AS value
        FROM per_household
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
            sumIf(kept_count, is_counted) AS samples,
            countIf(is_counted) AS agents,
            uniqExactArrayIf(household_units, is_counted) AS units,
            sum(households_without_value) AS households_without_value,
            arraySort(groupArrayIf((assumeNotNull(value), stratum), is_counted)) AS households_of_point,
            households_of_point.1 AS xs,
            households_of_point.2 AS stratum_of
        FROM households
        HAVING sum(row_count) > 0
    ),
    -- The number of households of each stratum.
    strata AS (
        SELECT
            *,
            arrayDifference(arraySort(stratum_of)) AS strata_steps,
            arrayMap(own -> length(own), arraySplit((item, step) -> step != 0,
                            strata_steps,
                            strata_steps)) AS strata_sizes,
            toInt64(agents) - length(strata_sizes) AS degrees,
            arrayCount(size -> size = 1, strata_sizes) AS single_strata
        FROM statistics
    ),
    -- The standard error with households as the sample, and Student's t.
    intervals AS (
        SELECT
            *,
            if(degrees < 1, NULL, sqrt(
                    arraySum(
                        own -> if(length(own) = 1, pow(own[1], 2),
                            length(own) * arrayReduce('varSampStable', own)),
                        arraySplit((item, step) -> step != 0,
                            arraySort((z, stratum) -> stratum,
                                arrayMap(x -> x - ifNull(mean, 0), xs),
                                stratum_of),
                            strata_steps)))
                    / length(xs)) AS household_error,
            arrayMap(k -> pow(3 / (2 * (degrees) + 1), k), range(19)) AS t_powers,
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
        FROM strata
    ),
    -- The share of the values up to a percentile, and its error.
    reached_shares AS (
        SELECT
            *,
            arrayMap(rank -> xs[toInt64(floor(rank)) + 1]
                        + (rank - floor(rank))
                            * (xs[toInt64(ceil(rank)) + 1] - xs[toInt64(floor(rank)) + 1]),
                    [0.05 * (length(xs) - 1)])[1] AS quantile_1,
            arraySum(x -> (x <= quantile_1 + 1e-9 * abs(quantile_1)), xs) / length(xs) AS share_1,
            if(degrees < 1, NULL, sqrt(
                    arraySum(
                        own -> if(length(own) = 1, pow(own[1], 2),
                            length(own) * arrayReduce('varSampStable', own)),
                        arraySplit((item, step) -> step != 0,
                            arraySort((z, stratum) -> stratum,
                                arrayMap(x -> (x <= quantile_1 + 1e-9 * abs(quantile_1)) - share_1, xs),
                                stratum_of),
                            strata_steps)))
                    / length(xs)) AS error_1,
            arrayMap(rank -> xs[toInt64(floor(rank)) + 1]
                        + (rank - floor(rank))
                            * (xs[toInt64(ceil(rank)) + 1] - xs[toInt64(floor(rank)) + 1]),
                    [0.5 * (length(xs) - 1)])[1] AS quantile_2,
            arraySum(x -> (x <= quantile_2 + 1e-9 * abs(quantile_2)), xs) / length(xs) AS share_2,
            if(degrees < 1, NULL, sqrt(
                    arraySum(
                        own -> if(length(own) = 1, pow(own[1], 2),
                            length(own) * arrayReduce('varSampStable', own)),
                        arraySplit((item, step) -> step != 0,
                            arraySort((z, stratum) -> stratum,
                                arrayMap(x -> (x <= quantile_2 + 1e-9 * abs(quantile_2)) - share_2, xs),
                                stratum_of),
                            strata_steps)))
                    / length(xs)) AS error_2
        FROM intervals
    ),
    -- The percentiles at the ends of the interval of that share.
    percentile_intervals AS (
        SELECT
            *,
            if(error_1 > 1e-9, t95 * error_1, NULL) AS margin_1,
            clamp(0.05 - ifNull(margin_1, 0), 0, 1) AS low_1,
            clamp(0.05 + ifNull(margin_1, 0), 0, 1) AS high_1,
            [
                if(margin_1 <= 0.05, arrayMap(rank -> xs[toInt64(floor(rank)) + 1]
                        + (rank - floor(rank))
                            * (xs[toInt64(ceil(rank)) + 1] - xs[toInt64(floor(rank)) + 1]),
                    [low_1 * (length(xs) - 1)])[1], NULL),
                if(margin_1 <= 1 - 0.05, arrayMap(rank -> xs[toInt64(floor(rank)) + 1]
                        + (rank - floor(rank))
                            * (xs[toInt64(ceil(rank)) + 1] - xs[toInt64(floor(rank)) + 1]),
                    [high_1 * (length(xs) - 1)])[1], NULL)
            ] AS interval_1,
            if(error_2 > 1e-9, t95 * error_2, NULL) AS margin_2,
            clamp(0.5 - ifNull(margin_2, 0), 0, 1) AS low_2,
            clamp(0.5 + ifNull(margin_2, 0), 0, 1) AS high_2,
            [
                if(margin_2 <= 0.5, arrayMap(rank -> xs[toInt64(floor(rank)) + 1]
                        + (rank - floor(rank))
                            * (xs[toInt64(ceil(rank)) + 1] - xs[toInt64(floor(rank)) + 1]),
                    [low_2 * (length(xs) - 1)])[1], NULL),
                if(margin_2 <= 1 - 0.5, arrayMap(rank -> xs[toInt64(floor(rank)) + 1]
                        + (rank - floor(rank))
                            * (xs[toInt64(ceil(rank)) + 1] - xs[toInt64(floor(rank)) + 1]),
                    [high_2 * (length(xs) - 1)])[1], NULL)
            ] AS interval_2
        FROM reached_shares
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
    if(agents >= 1, single_strata, NULL) AS singleStrata,
    mapApply(
        (name, number) -> (name, if(agents >= 1, number, [NULL, NULL])),
        map(
            '5', interval_1,
            '50', interval_2)) AS percentilesCi95,
    map(
            'householdsWithoutValue', households_without_value) AS leftOut
FROM percentile_intervals
SETTINGS
    do_not_merge_across_partitions_select_final = 1,
    prefer_column_name_to_alias = 1,
    output_format_json_quote_64bit_integers = 0,
    query_plan_execute_functions_after_sorting = 0,
    short_circuit_function_evaluation = 'disable'
