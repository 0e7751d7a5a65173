-- POST /metric_data
-- {
--   "metric": "httpget", "chartType": "aggregate", "aggregation": "daily", "normalised": true,
--   "prefilter": false, "time": { "from": "2026-01-01", "to": "2026-01-31" },
--   "agent_agg": true
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
            intDiv(toHour(local_time), 2) AS block,
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
    -- One row per household, with what its results give.
    per_household AS (
        SELECT
            bucket,
            agent_key,
            count() AS result_count,
            arrayAvg(arrayFilter(mean -> NOT isNaN(mean),
                avgResample(0, 12, 1)(value, block))) AS own_value,
            groupUniqArray(unit_id) AS household_units
        FROM results
        GROUP BY bucket, agent_key
    ),
    -- The value of each household.
    households AS (
        SELECT
            bucket,
            household_units,
            result_count AS kept_count,
            own_value AS value
        FROM per_household
    ),
    -- One row per point: the statistics of values of equal weight.
    statistics AS (
        SELECT
            bucket,
            clamp(avg(value), min(value), max(value)) AS mean,
            stddevPopStable(value) AS deviation,
            toFloat64(count(value)) AS effective_count,
            min(value) AS lowest,
            max(value) AS highest,
            quantilesExactInclusive(
                0.01, 0.05, 0.1, 0.2, 0.25, 0.5, 0.75, 0.8, 0.9, 0.95, 0.99)(value) AS quantiles,
            sum(kept_count) AS samples,
            count() AS agents,
            uniqExactArray(household_units) AS units
        FROM households
        GROUP BY bucket
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
    mean AS metricValue,
    toString(bucket) AS dtime,
    deviation AS stdDev,
    samples AS sampleCount,
    agents AS agentCount,
    units AS unitCount,
    t90 * household_error AS ci90,
    t95 * household_error AS ci95,
    t99 * household_error AS ci99,
    lowest AS min,
    highest AS max,
    quantiles[6] AS median,
    mapFromArrays(['1', '5', '10', '20', '25', '50', '75', '80', '90', '95', '99'], quantiles) AS percentiles
FROM intervals
ORDER BY bucket
SETTINGS
    do_not_merge_across_partitions_select_final = 1,
    prefer_column_name_to_alias = 1,
    output_format_json_quote_64bit_integers = 0,
    query_plan_execute_functions_after_sorting = 0
