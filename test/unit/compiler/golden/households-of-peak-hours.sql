-- POST /metric_data
-- {
--   "metric": "httpget", "chartType": "aggregate", "aggregation": "total", "normalised": false,
--   "prefilter": false, "time": { "from": "2026-01-01", "to": "2026-01-31" },
--   "window": { "days": ["mon", "tue", "wed", "thu", "fri"], "hours": [19, 20, 21, 22] },
--   "household": { "statistic": "trimmedMean", "trimOver": "range", "minResults": 5, "minDays": 3 },
--   "relativeTo": "custom.advertised"
-- }

-- custom_key String "advertised"
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
WITH
    -- Rows of the test in the range, also those without a value, with metadata and local time when they ran.
    -- The window is a flag: a household needs its other results too.
    results AS (
        WITH
            toLowCardinality(custom_hash) AS customs
        SELECT
            agent_key,
            unit_id,
            CAST(dictGet('custom_value', 'positive_number', sipHash64(customs, {custom_key:String})),
                'Nullable(Float64)') AS relative_to,
            toDateTime(dtime) AS ended_at,
            toDate(local_time) AS local_day,
            successes > 0 AS has_value,
            (toDayOfWeek(local_time) IN (1, 2, 3, 4, 5) AND toHour(local_time) IN (19, 20, 21, 22)) AS in_window,
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
            groupArrayIf(value, has_value AND in_window AND relative_to IS NOT NULL) AS household_results,
            groupArrayIf(value, has_value AND relative_to IS NOT NULL) AS bounded_values,
            groupUniqArrayIf(unit_id, has_value AND in_window AND relative_to IS NOT NULL) AS household_units,
            uniqExactIf(local_day, has_value AND in_window AND relative_to IS NOT NULL) AS household_days,
            assumeNotNull(argMaxIf(relative_to, ended_at,
                has_value AND in_window AND relative_to IS NOT NULL)) AS relative_to,
            countIf(has_value AND in_window) AS seen,
            countIf(NOT has_value AND in_window) AS without_value,
            countIf(has_value AND in_window AND relative_to IS NULL) AS results_without_field
        FROM results
        GROUP BY agent_key
    ),
    -- Two percentiles of all results of a household, in all its buckets and series together.
    bounded AS (
        SELECT
            *,
            quantilesExactInclusiveArray(0.01, 0.99)(bounded_values)
                OVER (PARTITION BY agent_key) AS bounds
        FROM per_household
    ),
    -- The results of a household that are within its bounds.
    trimmed AS (
        SELECT
            *,
            length(household_results) AS result_count,
            arrayFilter(result -> result >= bounds[1] AND result <= bounds[2], household_results) AS own_points
        FROM bounded
    ),
    -- The statistic of the results of each household.
    own_statistics AS (
        SELECT
            *,
            length(own_points) AS kept_count,
            arrayAvg(own_points) AS own_value
        FROM trimmed
    ),
    -- The value of each household, and whether it has enough results to count.
    households AS (
        SELECT
            household_units,
            kept_count,
            if(result_count >= 5 AND household_days >= 3, toUInt64(result_count - kept_count), 0) AS results_trimmed,
            seen + without_value AS row_count,
            seen = 0 AND without_value > 0 AS households_without_value,
            results_without_field,
            result_count > 0 AND NOT (result_count >= 5 AND household_days >= 3) AS households_below_minimum,
            kept_count > 0 AND result_count >= 5 AND household_days >= 3 AS is_counted,
            if(is_counted, round(100 * own_value / relative_to, 9), NULL) AS value
        FROM own_statistics
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
            sum(results_without_field) AS results_without_field,
            sum(results_trimmed) AS results_trimmed,
            sum(households_below_minimum) AS households_below_minimum,
            sum(households_without_value) AS households_without_value
        FROM households
        HAVING sum(row_count) > 0
    ),
    -- The standard error with households as the sample, and Student's t.
    intervals AS (
        SELECT
            *,
            if(agents < 2, NULL, deviation / sqrt(agents - 1)) AS household_error,
            arrayMap(k -> pow(3 / (2 * (agents - 1) + 1), k), range(19)) AS t_powers,
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
        FROM statistics
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
    map(
            'resultsWithoutField', results_without_field,
            'resultsTrimmed', results_trimmed,
            'householdsBelowMinimum', households_below_minimum,
            'householdsWithoutValue', households_without_value) AS leftOut
FROM intervals
SETTINGS
    do_not_merge_across_partitions_select_final = 1,
    prefer_column_name_to_alias = 1,
    output_format_json_quote_64bit_integers = 0,
    query_plan_execute_functions_after_sorting = 0,
    short_circuit_function_evaluation = 'disable'
