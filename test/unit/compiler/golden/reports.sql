-- ## households in peak hours, trimmed over the range, percent of advertised
-- custom_key String "advertised"
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
WITH
    results AS (
        WITH
            toDateTime(dtime) AS ended_at,
            if(dictHas('agent_metadata_changes', toUInt64(0), toDateTime(0))
                    AND dictHas('agent_metadata_changes', agent_key, ended_at),
                dictGet('agent_metadata_changes', 'timezone_custom_hash', agent_key, ended_at),
                dictGet('agent_metadata', 'timezone_custom_hash', agent_key, ended_at)) AS timezone_custom_hash,
            toUInt64(bitShiftRight(timezone_custom_hash, 64)) AS timezone_hash,
            toLowCardinality(toUInt64(timezone_custom_hash)) AS custom_hash,
            dictGet('timezone_span',
                ('utc_offset_s', 'first_change_at', 'first_change_s', 'second_change_at', 'second_change_s'),
                timezone_hash + bitShiftRight(toUnixTimestamp(ended_at), 22)) AS clock,
            addSeconds(ended_at, clock.utc_offset_s
                + (ended_at >= clock.first_change_at) * clock.first_change_s
                + (ended_at >= clock.second_change_at) * clock.second_change_s) AS local_time
        SELECT
            agent_key,
            unit_id,
            CAST(dictGet('custom_value', 'positive_number', sipHash64(custom_hash, {custom_key:String})),
                'Nullable(Float64)') AS relative_to,
            ended_at,
            toDate(local_time) AS local_day,
            successes > 0 AS has_value,
            (toDayOfWeek(local_time) IN (1, 2, 3, 4, 5) AND toHour(local_time) IN (19, 20, 21, 22)) AS in_window,
            toFloat64(bytes_sec * 8 / 1e6) AS value
        FROM last_rows_httpget FINAL
        WHERE
            organisation_id = {organisation:UInt32}
            AND toDate(dtime) >= toDate({from_utc:DateTime64(3, 'UTC')})
            AND toDate(dtime) <= toDate({end_utc:DateTime64(3, 'UTC')})
            AND dtime >= {from_utc:DateTime64(3, 'UTC')}
            AND dtime < {end_utc:DateTime64(3, 'UTC')}
            AND local_time >= {from:DateTime('UTC')}
            AND local_time <= {to:DateTime('UTC')}
            AND throwIf(custom_hash != 0 AND NOT dictHas('custom_value', sipHash64(custom_hash)),
                'custom values are being loaded: send the request again') = 0
    ),
    per_household AS (
        SELECT
            agent_key,
            groupArrayIf(value, has_value AND in_window AND relative_to IS NOT NULL) AS household_results,
            groupArrayIf(value, has_value AND relative_to IS NOT NULL) AS bounded_values,
            groupUniqArrayIf(unit_id, has_value AND in_window AND relative_to IS NOT NULL) AS household_units,
            countIf(has_value AND in_window) AS seen,
            countIf(NOT has_value AND in_window) AS without_value,
            uniqExactIf(local_day, has_value AND in_window AND relative_to IS NOT NULL) AS household_days,
            assumeNotNull(argMaxIf(relative_to, ended_at,
                has_value AND in_window AND relative_to IS NOT NULL)) AS relative_to,
            countIf(has_value AND in_window AND relative_to IS NULL) AS results_without_field
        FROM results
        GROUP BY agent_key
    ),
    bounded AS (
        SELECT
            agent_key,
            arrayReduce('quantilesExactInclusive(0.01, 0.99)', bounded_values) AS bounds,
            household_results,
            household_units,
            seen,
            without_value,
            household_days,
            relative_to,
            results_without_field
        FROM per_household
    ),
    trimmed AS (
        SELECT
            household_units,
            seen,
            without_value,
            household_days,
            relative_to,
            results_without_field,
            length(household_results) AS result_count,
            arrayFilter(result -> result >= bounds[1] AND result <= bounds[2], household_results) AS kept_results
        FROM bounded
    ),
    own_statistics AS (
        SELECT
            household_units,
            seen,
            without_value,
            household_days,
            relative_to,
            results_without_field,
            result_count,
            length(kept_results) AS kept_count,
            arrayAvg(kept_results) AS own_value
        FROM trimmed
    ),
    households AS (
        SELECT
            seen + without_value AS row_count,
            seen = 0 AND without_value > 0 AS households_without_value,
            household_units,
            kept_count > 0 AND result_count >= 5 AND household_days >= 3 AS is_counted,
            kept_count,
            results_without_field,
            if(result_count >= 5 AND household_days >= 3, toUInt64(result_count - kept_count), 0) AS results_trimmed,
            result_count > 0 AND NOT (result_count >= 5 AND household_days >= 3) AS households_below_minimum,
            if(is_counted, round(100 * own_value / relative_to, 9), NULL) AS value
        FROM own_statistics
    ),
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
    query_plan_execute_functions_after_sorting = 0

-- ## weighted households, split, with shares, 80/80, intervals and a minimum
-- custom_key String "weight"
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
WITH
    results AS (
        WITH
            toDateTime(dtime) AS ended_at,
            if(dictHas('agent_metadata_changes', toUInt64(0), toDateTime(0))
                    AND dictHas('agent_metadata_changes', agent_key, ended_at),
                dictGet('agent_metadata_changes',
                    ('timezone_custom_hash', 'isp'),
                    agent_key, ended_at),
                dictGet('agent_metadata',
                    ('timezone_custom_hash', 'isp'),
                    agent_key, ended_at)) AS metadata,
            toUInt64(bitShiftRight(metadata.timezone_custom_hash, 64)) AS timezone_hash,
            toLowCardinality(toUInt64(metadata.timezone_custom_hash)) AS custom_hash,
            dictGet('timezone_span',
                ('utc_offset_s', 'first_change_at', 'first_change_s', 'second_change_at', 'second_change_s'),
                timezone_hash + bitShiftRight(toUnixTimestamp(ended_at), 22)) AS clock,
            addSeconds(ended_at, clock.utc_offset_s
                + (ended_at >= clock.first_change_at) * clock.first_change_s
                + (ended_at >= clock.second_change_at) * clock.second_change_s) AS local_time
        SELECT
            metadata.isp AS isp,
            agent_key,
            unit_id,
            toDate32(local_time) AS bucket,
            CAST(dictGet('custom_value', 'positive_number', sipHash64(custom_hash, {custom_key:String})),
                'Nullable(Float64)') AS household_weight,
            ended_at,
            successes > 0 AS has_value,
            toFloat64(bytes_sec * 8 / 1e6) AS value
        FROM last_rows_httpget FINAL
        WHERE
            organisation_id = {organisation:UInt32}
            AND toDate(dtime) >= toDate({from_utc:DateTime64(3, 'UTC')})
            AND toDate(dtime) <= toDate({end_utc:DateTime64(3, 'UTC')})
            AND dtime >= {from_utc:DateTime64(3, 'UTC')}
            AND dtime < {end_utc:DateTime64(3, 'UTC')}
            AND local_time >= {from:DateTime('UTC')}
            AND local_time <= {to:DateTime('UTC')}
            AND throwIf(custom_hash != 0 AND NOT dictHas('custom_value', sipHash64(custom_hash)),
                'custom values are being loaded: send the request again') = 0
    ),
    per_household AS (
        SELECT
            isp,
            bucket,
            agent_key,
            groupArrayIf(value, has_value AND household_weight IS NOT NULL) AS household_results,
            groupUniqArrayIf(unit_id, has_value AND household_weight IS NOT NULL) AS household_units,
            countIf(has_value) AS seen,
            countIf(NOT has_value) AS without_value,
            assumeNotNull(argMaxIf(household_weight, ended_at,
                has_value AND household_weight IS NOT NULL)) AS household_weight,
            countIf(has_value AND household_weight IS NULL) AS results_without_weight
        FROM results
        GROUP BY isp, bucket, agent_key
    ),
    bounds AS (
        SELECT
            agent_key,
            quantilesExactInclusiveArray(0, 0.99)(household_results) AS bounds,
            groupArray((
                isp,
                bucket,
                household_results,
                household_units,
                seen,
                without_value,
                household_weight,
                results_without_weight)) AS parts
        FROM per_household
        GROUP BY agent_key
    ),
    bounded AS (
        SELECT
            agent_key,
            bounds,
            part.1 AS isp,
            part.2 AS bucket,
            part.3 AS household_results,
            part.4 AS household_units,
            part.5 AS seen,
            part.6 AS without_value,
            part.7 AS household_weight,
            part.8 AS results_without_weight
        FROM bounds
        ARRAY JOIN parts AS part
    ),
    trimmed AS (
        SELECT
            isp,
            bucket,
            household_units,
            seen,
            without_value,
            household_weight,
            results_without_weight,
            length(household_results) AS result_count,
            arrayFilter(result -> result <= bounds[2], household_results) AS kept_results
        FROM bounded
    ),
    own_statistics AS (
        SELECT
            isp,
            bucket,
            household_units,
            seen,
            without_value,
            household_weight,
            results_without_weight,
            result_count,
            length(kept_results) AS kept_count,
            arrayReduce('quantileExactInclusive(0.5)', kept_results) AS own_value,
            arrayReduce('quantileExactInclusive(0.2)', kept_results) AS own_low_value
        FROM trimmed
    ),
    households AS (
        SELECT
            isp,
            bucket,
            seen + without_value AS row_count,
            seen = 0 AND without_value > 0 AS households_without_value,
            household_units,
            household_weight AS weight,
            kept_count > 0 AS is_counted,
            kept_count,
            results_without_weight,
            toUInt64(result_count - kept_count) AS results_trimmed,
            round(own_value, 9) AS value,
            round(own_low_value, 9) AS low_value
        FROM own_statistics
    ),
    points AS (
        SELECT
            isp,
            bucket,
            arraySort(groupArrayIf((value, weight), is_counted)) AS points,
            arraySort(groupArrayIf((low_value, weight), is_counted)) AS low_points,
            sumIf(kept_count, is_counted) AS samples,
            countIf(is_counted) AS agents,
            uniqExactArrayIf(household_units, is_counted) AS units,
            sum(results_without_weight) AS results_without_weight,
            sum(results_trimmed) AS results_trimmed,
            sum(households_without_value) AS households_without_value
        FROM households
        GROUP BY isp, bucket
        HAVING sum(row_count) > 0
    ),
    midpoints AS (
        SELECT
            isp,
            bucket,
            samples,
            agents,
            units,
            results_without_weight,
            results_trimmed,
            households_without_value,
            points.1 AS xs,
            points.2 AS ws,
            arrayMap((reached, w) -> reached - w / 2, arrayCumSum(ws), ws) AS midpoints,
            midpoints[1] AS first_midpoint,
            midpoints[-1] - first_midpoint AS span,
            arrayZip(xs, midpoints) AS positioned_values,
            low_points.1 AS low_xs,
            low_points.2 AS low_ws,
            arrayMap((reached, w) -> reached - w / 2, arrayCumSum(low_ws), low_ws) AS low_midpoints,
            low_midpoints[1] AS low_first_midpoint,
            low_midpoints[-1] - low_first_midpoint AS low_span,
            arrayZip(low_xs, low_midpoints) AS low_positioned_values
        FROM points
    ),
    centred AS (
        SELECT
            *,
            arraySum(ws) AS total_weight,
            clamp(arraySum((x, w) -> x * w, xs, ws) / total_weight, xs[1], xs[-1]) AS mean
        FROM midpoints
    ),
    statistics AS (
        SELECT
            isp,
            bucket,
            samples,
            agents,
            units,
            results_without_weight,
            results_trimmed,
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
            [
                arraySum((x, w) -> if(round(x, 9) >= round(30, 9), w, 0), xs, ws) / total_weight,
                arraySum((x, w) -> if(round(x, 9) >= round(100, 9), w, 0), xs, ws) / total_weight
            ] AS share_values,
            arrayMap(
                (level, around) -> around[1].1 + if(length(around) = 1, 0,
                    (around[2].1 - around[1].1)
                        * (low_first_midpoint + level * low_span - around[1].2) / (around[2].2 - around[1].2)),
                [0.2],
                [
                    arraySlice(low_positioned_values,
                        arrayCount(midpoint -> midpoint <= low_first_midpoint + 0.2 * low_span, low_midpoints), 2)
                ])[1] AS consistent_value,
            if(agents < 2, NULL,
                sqrt(agents / (agents - 1) * arraySum((x, w) -> pow(w * (x - mean), 2), xs, ws))
                / total_weight) AS household_error
        FROM centred
    ),
    intervals AS (
        SELECT
            *,
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
SELECT
    isp,
    if(agents >= 10, mean, NULL) AS metricValue,
    toString(bucket) AS dtime,
    if(agents >= 10, deviation, NULL) AS stdDev,
    if(agents >= 10, samples, NULL) AS sampleCount,
    if(agents >= 10, agents, NULL) AS agentCount,
    if(agents >= 10, units, NULL) AS unitCount,
    if(agents >= 10, t90 * household_error, NULL) AS ci90,
    if(agents >= 10, t95 * household_error, NULL) AS ci95,
    if(agents >= 10, t99 * household_error, NULL) AS ci99,
    if(agents >= 10, lowest, NULL) AS min,
    if(agents >= 10, highest, NULL) AS max,
    if(agents >= 10, quantiles[6], NULL) AS median,
    mapApply(
        (name, number) -> (name, if(agents >= 10, number, NULL)),
        mapFromArrays(['1', '5', '10', '20', '25', '50', '75', '80', '90', '95', '99'], quantiles)) AS percentiles,
    if(agents >= 10, t90 * household_error, NULL) AS ciHousehold90,
    if(agents >= 10, t95 * household_error, NULL) AS ciHousehold95,
    if(agents >= 10, t99 * household_error, NULL) AS ciHousehold99,
    if(agents >= 10, consistent_value, NULL) AS consistent,
    mapApply(
        (name, number) -> (name, if(agents >= 10, number, NULL)),
        map(
            '30', share_values[1],
            '100', share_values[2])) AS shares,
    mapApply(
        (name, number) -> (name, if(agents >= 10, number, NULL)),
        map(
            'resultsWithoutWeight', results_without_weight,
            'resultsTrimmed', results_trimmed,
            'householdsWithoutValue', households_without_value)) AS leftOut,
    CAST(agents < 10, 'Bool') AS suppressed
FROM intervals
ORDER BY isp, bucket
SETTINGS
    do_not_merge_across_partitions_select_final = 1,
    prefer_column_name_to_alias = 1,
    output_format_json_quote_64bit_integers = 0,
    query_plan_execute_functions_after_sorting = 0

-- ## rate of households, normalised, without switchers
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
WITH
    results AS (
        WITH
            toDateTime(dtime) AS ended_at,
            if(dictHas('agent_metadata_changes', toUInt64(0), toDateTime(0))
                    AND dictHas('agent_metadata_changes', agent_key, ended_at),
                dictGet('agent_metadata_changes',
                    ('timezone_hash', 'plan_hash'),
                    agent_key, ended_at),
                dictGet('agent_metadata',
                    ('timezone_hash', 'plan_hash'),
                    agent_key, ended_at)) AS metadata,
            dictGet('timezone_span',
                ('utc_offset_s', 'first_change_at', 'first_change_s', 'second_change_at', 'second_change_s'),
                metadata.timezone_hash + bitShiftRight(toUnixTimestamp(ended_at), 22)) AS clock,
            addSeconds(ended_at, clock.utc_offset_s
                + (ended_at >= clock.first_change_at) * clock.first_change_s
                + (ended_at >= clock.second_change_at) * clock.second_change_s) AS local_time
        SELECT
            agent_key,
            unit_id,
            toDate32(local_time) AS bucket,
            toHour(local_time) AS block,
            ended_at,
            toDate(local_time) AS local_day,
            metadata.plan_hash AS stay,
            (successes + failures) > 0 AS has_value,
            100 * failures / (successes + failures) AS value,
            toFloat64((successes + failures)) AS own_weight
        FROM test_dns FINAL
        WHERE
            organisation_id = {organisation:UInt32}
            AND toDate(dtime) >= toDate({from_utc:DateTime64(3, 'UTC')})
            AND toDate(dtime) <= toDate({end_utc:DateTime64(3, 'UTC')})
            AND dtime >= {from_utc:DateTime64(3, 'UTC')}
            AND dtime < {end_utc:DateTime64(3, 'UTC')}
            AND local_time >= {from:DateTime('UTC')}
            AND local_time <= {to:DateTime('UTC')}
    ),
    shares AS (
        SELECT
            *,
            own_weight / sumIf(own_weight, has_value)
                OVER (PARTITION BY bucket, block, agent_key, stay) AS share
        FROM results
    ),
    per_stay AS (
        SELECT
            bucket,
            agent_key,
            stay,
            groupUniqArrayIf(local_day, has_value) AS stay_days,
            maxIf(ended_at, has_value) AS stay_end,
            groupArrayIf((value, share), has_value) AS household_results,
            groupUniqArrayIf(unit_id, has_value) AS household_units,
            countIf(has_value) AS seen,
            countIf(NOT has_value) AS without_value
        FROM shares
        GROUP BY bucket, agent_key, stay
    ),
    stays AS (
        SELECT
            bucket,
            agent_key,
            stay,
            household_results,
            household_units,
            seen,
            without_value,
            (uniqExactArray(stay_days) OVER (PARTITION BY agent_key, stay),
                max(stay_end) OVER (PARTITION BY agent_key, stay), stay) AS stay_length
        FROM per_stay
    ),
    kept AS (
        SELECT
            bucket,
            agent_key,
            household_results,
            household_units,
            seen,
            without_value,
            stay_length.1 > 0
                AND minIf(stay, stay_length.1 > 0) OVER (PARTITION BY agent_key)
                    = maxIf(stay, stay_length.1 > 0) OVER (PARTITION BY agent_key) AS is_kept
        FROM stays
    ),
    per_household AS (
        SELECT
            bucket,
            agent_key,
            anyIf(household_results, is_kept) AS household_results,
            anyIf(household_units, is_kept) AS household_units,
            sum(seen) AS seen,
            sum(without_value) AS without_value,
            sumIf(seen, NOT is_kept) AS results_of_switchers
        FROM kept
        GROUP BY bucket, agent_key
    ),
    trimmed AS (
        SELECT
            bucket,
            household_units,
            seen,
            without_value,
            results_of_switchers,
            length(household_results) AS result_count,
            household_results AS kept_results
        FROM per_household
    ),
    own_points AS (
        SELECT
            bucket,
            household_units,
            seen,
            without_value,
            results_of_switchers,
            result_count,
            kept_results,
            arraySort(kept_results) AS own_points
        FROM trimmed
    ),
    own_midpoints AS (
        SELECT
            bucket,
            household_units,
            seen,
            without_value,
            results_of_switchers,
            result_count,
            kept_results,
            own_points.1 AS own_xs,
            own_points.2 AS own_ws,
            arrayMap((reached, w) -> reached - w / 2, arrayCumSum(own_ws), own_ws) AS own_midpoints,
            own_midpoints[1] AS own_first_midpoint,
            own_midpoints[-1] - own_first_midpoint AS own_span,
            arrayZip(own_xs, own_midpoints) AS own_positioned_values
        FROM own_points
    ),
    own_statistics AS (
        SELECT
            bucket,
            household_units,
            seen,
            without_value,
            results_of_switchers,
            result_count,
            length(kept_results) AS kept_count,
            arrayMap(
                (level, around) -> around[1].1 + if(length(around) = 1, 0,
                    (around[2].1 - around[1].1)
                        * (own_first_midpoint + level * own_span - around[1].2) / (around[2].2 - around[1].2)),
                [0.2],
                [
                    arraySlice(own_positioned_values,
                        arrayCount(midpoint -> midpoint <= own_first_midpoint + 0.2 * own_span, own_midpoints), 2)
                ])[1] AS own_value
        FROM own_midpoints
    ),
    households AS (
        SELECT
            bucket,
            seen + without_value AS row_count,
            seen = 0 AND without_value > 0 AS households_without_value,
            household_units,
            kept_count > 0 AS is_counted,
            kept_count,
            results_of_switchers,
            if(is_counted, round(own_value, 9), NULL) AS value
        FROM own_statistics
    ),
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
            sumIf(kept_count, is_counted) AS samples,
            countIf(is_counted) AS agents,
            uniqExactArrayIf(household_units, is_counted) AS units,
            sum(results_of_switchers) AS results_of_switchers,
            sum(households_without_value) AS households_without_value
        FROM households
        GROUP BY bucket
        HAVING sum(row_count) > 0
    ),
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
SELECT
    if(agents >= 1, mean, NULL) AS metricValue,
    toString(bucket) AS dtime,
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
            'resultsOfSwitchers', results_of_switchers,
            'householdsWithoutValue', households_without_value) AS leftOut
FROM intervals
ORDER BY bucket
SETTINGS
    do_not_merge_across_partitions_select_final = 1,
    prefer_column_name_to_alias = 1,
    output_format_json_quote_64bit_integers = 0,
    query_plan_execute_functions_after_sorting = 0

-- ## all results, percent of advertised, longest stay, shares of results
-- custom_key String "advertised"
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
WITH
    results AS (
        WITH
            toDateTime(dtime) AS ended_at,
            if(dictHas('agent_metadata_changes', toUInt64(0), toDateTime(0))
                    AND dictHas('agent_metadata_changes', agent_key, ended_at),
                dictGet('agent_metadata_changes',
                    ('timezone_custom_hash', 'plan_hash'),
                    agent_key, ended_at),
                dictGet('agent_metadata',
                    ('timezone_custom_hash', 'plan_hash'),
                    agent_key, ended_at)) AS metadata,
            toUInt64(bitShiftRight(metadata.timezone_custom_hash, 64)) AS timezone_hash,
            toLowCardinality(toUInt64(metadata.timezone_custom_hash)) AS custom_hash,
            dictGet('timezone_span',
                ('utc_offset_s', 'first_change_at', 'first_change_s', 'second_change_at', 'second_change_s'),
                timezone_hash + bitShiftRight(toUnixTimestamp(ended_at), 22)) AS clock,
            addSeconds(ended_at, clock.utc_offset_s
                + (ended_at >= clock.first_change_at) * clock.first_change_s
                + (ended_at >= clock.second_change_at) * clock.second_change_s) AS local_time
        SELECT
            agent_key,
            unit_id,
            CAST(dictGet('custom_value', 'positive_number', sipHash64(custom_hash, {custom_key:String})),
                'Nullable(Float64)') AS relative_to,
            ended_at,
            toDate(local_time) AS local_day,
            metadata.plan_hash AS stay,
            successes > 0 AS has_value,
            toFloat64(bytes_sec * 8 / 1e6) AS value
        FROM last_rows_httpget FINAL
        WHERE
            organisation_id = {organisation:UInt32}
            AND toDate(dtime) >= toDate({from_utc:DateTime64(3, 'UTC')})
            AND toDate(dtime) <= toDate({end_utc:DateTime64(3, 'UTC')})
            AND dtime >= {from_utc:DateTime64(3, 'UTC')}
            AND dtime < {end_utc:DateTime64(3, 'UTC')}
            AND local_time >= {from:DateTime('UTC')}
            AND local_time <= {to:DateTime('UTC')}
            AND throwIf(custom_hash != 0 AND NOT dictHas('custom_value', sipHash64(custom_hash)),
                'custom values are being loaded: send the request again') = 0
    ),
    stay_lengths AS (
        SELECT
            agent_key,
            stay,
            uniqExact(local_day) AS days,
            max(ended_at) AS last_end
        FROM results
        WHERE
            has_value
        GROUP BY agent_key, stay
    ),
    stays AS (
        SELECT
            agent_key,
            argMax(stay, (days, last_end)) AS longest,
            count() AS stay_count
        FROM stay_lengths
        GROUP BY agent_key
    ),
    kept AS (
        SELECT
            *,
            (agent_key, stay) IN (SELECT agent_key, longest FROM stays) AS is_kept
        FROM results
    ),
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
            toUInt64(uniqExact(agent_key) - uniqExactIf(agent_key, has_value)) AS households_without_value,
            [
                countIf(round(value, 9) >= round(90, 9)) / count(value)
            ] AS share_values,
            sumMapIf([agent_key], [assumeNotNull(value)], [assumeNotNull(1.)], isNotNull(value)) AS agent_sums
        FROM counted
        HAVING count() > 0
    ),
    intervals AS (
        SELECT
            *,
            if(agents < 2, NULL,
                sqrt(agents / (agents - 1)
                    * arraySum((s, t) -> pow(s - ifNull(mean, 0) * t, 2), agent_sums.2, agent_sums.3))
                / arraySum(agent_sums.3)) AS household_error,
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
    if(agents >= 1, t90 * household_error, NULL) AS ciHousehold90,
    if(agents >= 1, t95 * household_error, NULL) AS ciHousehold95,
    if(agents >= 1, t99 * household_error, NULL) AS ciHousehold99,
    mapApply(
        (name, number) -> (name, if(agents >= 1, number, NULL)),
        map(
            '90', share_values[1])) AS shares,
    map(
            'resultsOfSwitchers', results_of_switchers,
            'resultsWithoutField', results_without_field,
            'householdsWithoutValue', households_without_value) AS leftOut
FROM intervals
SETTINGS
    do_not_merge_across_partitions_select_final = 1,
    prefer_column_name_to_alias = 1,
    output_format_json_quote_64bit_integers = 0,
    query_plan_execute_functions_after_sorting = 0

-- ## busiest hour by ISP
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
WITH
    results AS (
        WITH
            toDateTime(dtime) AS ended_at,
            if(dictHas('agent_metadata_changes', toUInt64(0), toDateTime(0))
                    AND dictHas('agent_metadata_changes', agent_key, ended_at),
                dictGet('agent_metadata_changes',
                    ('timezone_hash', 'isp'),
                    agent_key, ended_at),
                dictGet('agent_metadata',
                    ('timezone_hash', 'isp'),
                    agent_key, ended_at)) AS metadata,
            dictGet('timezone_span',
                ('utc_offset_s', 'first_change_at', 'first_change_s', 'second_change_at', 'second_change_s'),
                metadata.timezone_hash + bitShiftRight(toUnixTimestamp(ended_at), 22)) AS clock,
            addSeconds(ended_at, clock.utc_offset_s
                + (ended_at >= clock.first_change_at) * clock.first_change_s
                + (ended_at >= clock.second_change_at) * clock.second_change_s) AS local_time
        SELECT
            metadata.isp AS isp,
            agent_key,
            unit_id,
            toUInt32(toHour(local_time)) AS bucket,
            successes > 0 AS has_value,
            toFloat64(bytes_sec * 8 / 1e6) AS value
        FROM last_rows_httpget FINAL
        WHERE
            organisation_id = {organisation:UInt32}
            AND toDate(dtime) >= toDate({from_utc:DateTime64(3, 'UTC')})
            AND toDate(dtime) <= toDate({end_utc:DateTime64(3, 'UTC')})
            AND dtime >= {from_utc:DateTime64(3, 'UTC')}
            AND dtime < {end_utc:DateTime64(3, 'UTC')}
            AND local_time >= {from:DateTime('UTC')}
            AND local_time <= {to:DateTime('UTC')}
    ),
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
            toUInt64(uniqExact(agent_key) - uniqExactIf(agent_key, has_value)) AS households_without_value
        FROM counted
        GROUP BY isp, bucket
        HAVING count() > 0
    ),
    over_buckets AS (
        SELECT
            *
        FROM statistics
        WHERE
            agents >= 1
        ORDER BY round(mean, 9), bucket
        LIMIT 1 BY isp
    )
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
    query_plan_execute_functions_after_sorting = 0

-- ## share of hours at 90 or more
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
WITH
    results AS (
        WITH
            toDateTime(dtime) AS ended_at,
            if(dictHas('agent_metadata_changes', toUInt64(0), toDateTime(0))
                    AND dictHas('agent_metadata_changes', agent_key, ended_at),
                dictGet('agent_metadata_changes', 'timezone_hash', agent_key, ended_at),
                dictGet('agent_metadata', 'timezone_hash', agent_key, ended_at)) AS timezone_hash,
            dictGet('timezone_span',
                ('utc_offset_s', 'first_change_at', 'first_change_s', 'second_change_at', 'second_change_s'),
                timezone_hash + bitShiftRight(toUnixTimestamp(ended_at), 22)) AS clock,
            addSeconds(ended_at, clock.utc_offset_s
                + (ended_at >= clock.first_change_at) * clock.first_change_s
                + (ended_at >= clock.second_change_at) * clock.second_change_s) AS local_time
        SELECT
            agent_key,
            unit_id,
            toStartOfInterval(local_time, INTERVAL 1 HOUR) AS bucket,
            successes > 0 AS has_value,
            toFloat64(bytes_sec * 8 / 1e6) AS value
        FROM last_rows_httpget FINAL
        WHERE
            organisation_id = {organisation:UInt32}
            AND toDate(dtime) >= toDate({from_utc:DateTime64(3, 'UTC')})
            AND toDate(dtime) <= toDate({end_utc:DateTime64(3, 'UTC')})
            AND dtime >= {from_utc:DateTime64(3, 'UTC')}
            AND dtime < {end_utc:DateTime64(3, 'UTC')}
            AND local_time >= {from:DateTime('UTC')}
            AND local_time <= {to:DateTime('UTC')}
    ),
    counted AS (
        SELECT
            bucket,
            agent_key,
            unit_id,
            if(has_value, value, NULL) AS value,
            has_value
        FROM results
    ),
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
            count(value) AS samples,
            uniqExactIf(agent_key, isNotNull(value)) AS agents,
            uniqExactIf(unit_id, isNotNull(value)) AS units,
            toUInt64(uniqExact(agent_key) - uniqExactIf(agent_key, has_value)) AS households_without_value
        FROM counted
        GROUP BY bucket
        HAVING count() > 0
    ),
    over_buckets AS (
        SELECT
            count() AS bucket_count,
            countIf(round(mean, 9) >= round(90, 9)) / bucket_count AS bucket_share
        FROM statistics
        WHERE
            agents >= 1
        HAVING bucket_count > 0
    )
SELECT
    bucket_share AS bucketShare,
    bucket_count AS bucketCount
FROM over_buckets
SETTINGS
    do_not_merge_across_partitions_select_final = 1,
    prefer_column_name_to_alias = 1,
    output_format_json_quote_64bit_integers = 0,
    query_plan_execute_functions_after_sorting = 0

-- ## coverage of days by ISP and tier, of agents with a package
-- custom_key String "tier"
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
-- package Array(String) ["A:Fibre"]
-- hours_from Int64 1767175200
-- hours_end Int64 1769947200
-- package_2 Array(String) ["A:Fibre"]
-- first_slots Array(Int64) [1767175200]
-- starts Array(Int64) [1767175200]
-- ends Array(Int64) [1769947200]
-- local_starts Array(Int64) [1767225600]
-- local_ends Array(Int64) [1769904000]
WITH
    results AS (
        WITH
            toDateTime(dtime) AS ended_at,
            if(dictHas('agent_metadata_changes', toUInt64(0), toDateTime(0))
                    AND dictHas('agent_metadata_changes', agent_key, ended_at),
                dictGet('agent_metadata_changes',
                    ('timezone_custom_hash', 'isp', 'package'),
                    agent_key, ended_at),
                dictGet('agent_metadata',
                    ('timezone_custom_hash', 'isp', 'package'),
                    agent_key, ended_at)) AS metadata,
            toUInt64(bitShiftRight(metadata.timezone_custom_hash, 64)) AS timezone_hash,
            toLowCardinality(toUInt64(metadata.timezone_custom_hash)) AS custom_hash,
            dictGet('timezone_span',
                ('utc_offset_s', 'first_change_at', 'first_change_s', 'second_change_at', 'second_change_s'),
                timezone_hash + bitShiftRight(toUnixTimestamp(ended_at), 22)) AS clock,
            addSeconds(ended_at, clock.utc_offset_s
                + (ended_at >= clock.first_change_at) * clock.first_change_s
                + (ended_at >= clock.second_change_at) * clock.second_change_s) AS local_time
        SELECT
            metadata.isp AS isp,
            CAST(
                dictGet('custom_value', 'value_id', sipHash64(custom_hash, {custom_key:String})),
                'UInt64') AS custom_2,
            agent_key,
            unit_id,
            toDate32(local_time) AS bucket,
            successes > 0 AS has_value,
            toFloat64(bytes_sec * 8 / 1e6) AS value
        FROM last_rows_httpget FINAL
        WHERE
            organisation_id = {organisation:UInt32}
            AND toDate(dtime) >= toDate({from_utc:DateTime64(3, 'UTC')})
            AND toDate(dtime) <= toDate({end_utc:DateTime64(3, 'UTC')})
            AND dtime >= {from_utc:DateTime64(3, 'UTC')}
            AND dtime < {end_utc:DateTime64(3, 'UTC')}
            AND local_time >= {from:DateTime('UTC')}
            AND local_time <= {to:DateTime('UTC')}
            AND metadata.package IN {package:Array(String)}
            AND throwIf(custom_hash != 0 AND NOT dictHas('custom_value', sipHash64(custom_hash)),
                'custom values are being loaded: send the request again') = 0
    ),
    counted AS (
        SELECT
            isp,
            custom_2,
            bucket,
            agent_key,
            unit_id,
            if(has_value, value, NULL) AS value,
            has_value
        FROM results
    ),
    statistics AS (
        SELECT
            isp,
            custom_2,
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
            toUInt64(uniqExact(agent_key) - uniqExactIf(agent_key, has_value)) AS households_without_value
        FROM counted
        GROUP BY isp, custom_2, bucket
        HAVING count() > 0
    ),
    agent_periods AS (
        WITH
            CAST((
                timezone,
                country,
                isp,
                toJSONString(custom),
                package,
                custom_number_keys),
                'Tuple(
                    timezone Nullable(String),
                    country Nullable(String),
                    isp Nullable(String),
                    custom_json String,
                    package Nullable(String),
                    custom_number_keys Array(String))') AS metadata
        SELECT
            agent_key,
            metadata.isp AS isp,
            if(isNull(JSONExtract(metadata.custom_json, {custom_key:String}, 'Nullable(String)')), 0, sipHash64(
                has(metadata.custom_number_keys, {custom_key:String}),
                assumeNotNull(JSONExtract(metadata.custom_json, {custom_key:String}, 'Nullable(String)')))) AS custom_2,
            ifNull(timezone, 'UTC') AS zone,
            greatest(toInt64(toUnixTimestamp(valid_from)), {hours_from:Int64}) AS period_from,
            least(toInt64(toUnixTimestamp(valid_to)) + 1, {hours_end:Int64}) AS period_end
        FROM agent_metadata_current
        WHERE
            organisation_id = {organisation:UInt32}
            AND kind != 'Mobile'
            AND (isNotNull(isp) OR isNotNull(timezone) OR notEmpty(custom))
            AND period_from < period_end
            AND metadata.package IN {package_2:Array(String)}
    ),
    zone_ranges AS (
        SELECT
            zone,
            time_range
        FROM agent_periods
        ARRAY JOIN arrayZip(
            {first_slots:Array(Int64)},
            {starts:Array(Int64)},
            {ends:Array(Int64)},
            {local_starts:Array(Int64)},
            {local_ends:Array(Int64)}) AS time_range
        GROUP BY zone, time_range
    ),
    slots AS (
        SELECT
            zone,
            time_range,
            arrayJoin(range(time_range.1, time_range.3, 900)) AS slot
        FROM zone_ranges
    ),
    local_slots AS (
        WITH
            toDateTime(slot, 'UTC') AS slot_time,
            dictGet('timezone_span',
                ('utc_offset_s', 'first_change_at', 'first_change_s', 'second_change_at', 'second_change_s'),
                cityHash64(zone) + bitShiftRight(toUnixTimestamp(slot_time), 22)) AS clock,
            clock.utc_offset_s
                + (slot_time >= clock.first_change_at) * clock.first_change_s
                + (slot_time >= clock.second_change_at) * clock.second_change_s AS utc_offset,
            addSeconds(slot_time, utc_offset) AS local_time
        SELECT
            zone,
            time_range,
            slot,
            utc_offset,
            toDate32(local_time) AS bucket,
            greatest(slot, time_range.2, time_range.4 - utc_offset) AS slot_from,
            least(slot + 900, time_range.3, time_range.5 - utc_offset) AS slot_end
        FROM slots
        WHERE
            slot_from < slot_end
    ),
    numbered_slots AS (
        SELECT
            *,
            slot - 900 * toInt64(row_number() OVER (
                    PARTITION BY zone, time_range, utc_offset, bucket ORDER BY slot)) AS segment
        FROM local_slots
    ),
    segments AS (
        SELECT
            zone,
            bucket,
            min(slot_from) AS segment_from,
            max(slot_end) AS segment_end
        FROM numbered_slots
        GROUP BY zone, time_range, utc_offset, bucket, segment
    ),
    periods AS (
        SELECT
            zone,
            period_from,
            period_end
        FROM agent_periods
        GROUP BY zone, period_from, period_end
    ),
    period_seconds AS (
        SELECT
            zone,
            period_from,
            period_end,
            bucket,
            sum(
                    least(period_end, segment_end) - greatest(period_from, segment_from)) AS seconds
        FROM periods
        INNER JOIN segments USING (zone)
        WHERE
            period_from < segment_end
            AND segment_from < period_end
        GROUP BY zone, period_from, period_end, bucket
    ),
    expected AS (
        SELECT
            toString(tuple(isp, custom_2, bucket)) AS expected_point,
            uniqExact(agent_key) AS expected_agents,
            sum(seconds) AS expected_seconds
        FROM agent_periods
        INNER JOIN period_seconds USING (zone, period_from, period_end)
        GROUP BY expected_point
    ),
    covered AS (
        SELECT
            *,
            samples AS received_results,
            agents AS reporting_agents
        FROM statistics
        LEFT JOIN expected ON toString(tuple(isp, custom_2, bucket)) = expected_point
    ),
    labelled AS (
        SELECT
            *,
            dictGet('custom_value', ('is_number', 'value'), if(
                throwIf(custom_2 != 0 AND NOT dictHas('custom_value', custom_2),
                'custom values are being loaded: send the request again'),
                0, custom_2)) AS label_2
        FROM covered
    )
SELECT
    isp,
    if(label_2.1,
        toFloat64OrNull(label_2.2)::Nullable(Float64)::Variant(Float64, String),
        (label_2.2)::Nullable(String)::Variant(String)::Variant(Float64, String)) AS `tier`,
    if(agents >= 1, mean, NULL) AS metricValue,
    toString(bucket) AS dtime,
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
            'householdsWithoutValue', households_without_value) AS leftOut,
    map(
            'expected', expected_seconds / 3600 * 0.5,
            'received', toFloat64(received_results),
            'agents', toFloat64(expected_agents),
            'reporting', toFloat64(reporting_agents),
            'share', if(expected_agents = 0, NULL, reporting_agents / expected_agents)) AS coverage
FROM labelled
ORDER BY
    isp,
    label_2.1 DESC, if(label_2.1, toFloat64OrNull(label_2.2), NULL), label_2.2,
    bucket
SETTINGS
    do_not_merge_across_partitions_select_final = 1,
    prefer_column_name_to_alias = 1,
    output_format_json_quote_64bit_integers = 0,
    query_plan_execute_functions_after_sorting = 0

-- ## coverage of households in a window, in two ranges
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-01-06 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-05 23:59:59"
-- from_utc_2 DateTime64(3, 'UTC') "2026-01-03 10:00:00"
-- end_utc_2 DateTime64(3, 'UTC') "2026-01-11 00:07:01"
-- from_2 DateTime('UTC') "2026-01-04 00:00:00"
-- to_2 DateTime('UTC') "2026-01-10 12:07:00"
-- from_utc_3 DateTime64(3, 'UTC') "2026-01-31 10:00:00"
-- end_utc_3 DateTime64(3, 'UTC') "2026-02-21 12:00:00"
-- from_3 DateTime('UTC') "2026-02-01 00:00:00"
-- to_3 DateTime('UTC') "2026-02-20 23:59:59"
-- hours_from Int64 1767175200
-- hours_end Int64 1771064430
-- first_slots Array(Int64) [1767175200,1769853600]
-- starts Array(Int64) [1767175200,1769853600]
-- ends Array(Int64) [1768090021,1771064430]
-- local_starts Array(Int64) [1767225600,1769904000]
-- local_ends Array(Int64) [1768046821,1771632000]
WITH
    results AS (
        WITH
            toDateTime(dtime) AS ended_at,
            if(dictHas('agent_metadata_changes', toUInt64(0), toDateTime(0))
                    AND dictHas('agent_metadata_changes', agent_key, ended_at),
                dictGet('agent_metadata_changes', 'timezone_hash', agent_key, ended_at),
                dictGet('agent_metadata', 'timezone_hash', agent_key, ended_at)) AS timezone_hash,
            dictGet('timezone_span',
                ('utc_offset_s', 'first_change_at', 'first_change_s', 'second_change_at', 'second_change_s'),
                timezone_hash + bitShiftRight(toUnixTimestamp(ended_at), 22)) AS clock,
            addSeconds(ended_at, clock.utc_offset_s
                + (ended_at >= clock.first_change_at) * clock.first_change_s
                + (ended_at >= clock.second_change_at) * clock.second_change_s) AS local_time
        SELECT
            agent_key,
            unit_id,
            ended_at,
            successes > 0 AS has_value,
            toHour(local_time) IN (19, 20) AS in_window,
            toFloat64(bytes_sec * 8 / 1e6) AS value
        FROM last_rows_httpget FINAL
        WHERE
            organisation_id = {organisation:UInt32}
            AND (toDate(dtime) >= toDate({from_utc:DateTime64(3, 'UTC')})
                AND toDate(dtime) <= toDate({end_utc:DateTime64(3, 'UTC')})
                AND dtime >= {from_utc:DateTime64(3, 'UTC')}
                AND dtime < {end_utc:DateTime64(3, 'UTC')}
                AND local_time >= {from:DateTime('UTC')}
                AND local_time <= {to:DateTime('UTC')}
                OR toDate(dtime) >= toDate({from_utc_2:DateTime64(3, 'UTC')})
                AND toDate(dtime) <= toDate({end_utc_2:DateTime64(3, 'UTC')})
                AND dtime >= {from_utc_2:DateTime64(3, 'UTC')}
                AND dtime < {end_utc_2:DateTime64(3, 'UTC')}
                AND local_time >= {from_2:DateTime('UTC')}
                AND local_time <= {to_2:DateTime('UTC')}
                OR toDate(dtime) >= toDate({from_utc_3:DateTime64(3, 'UTC')})
                AND toDate(dtime) <= toDate({end_utc_3:DateTime64(3, 'UTC')})
                AND dtime >= {from_utc_3:DateTime64(3, 'UTC')}
                AND dtime < {end_utc_3:DateTime64(3, 'UTC')}
                AND local_time >= {from_3:DateTime('UTC')}
                AND local_time <= {to_3:DateTime('UTC')})
    ),
    per_household AS (
        SELECT
            agent_key,
            groupArrayIf(value, has_value AND in_window) AS household_results,
            groupArrayIf(value, has_value) AS bounded_values,
            groupUniqArrayIf(unit_id, has_value AND in_window) AS household_units,
            countIf(has_value AND in_window) AS seen,
            countIf(NOT has_value AND in_window) AS without_value
        FROM results
        GROUP BY agent_key
    ),
    bounded AS (
        SELECT
            agent_key,
            arrayReduce('quantilesExactInclusive(0.01, 0.99)', bounded_values) AS bounds,
            household_results,
            household_units,
            seen,
            without_value
        FROM per_household
    ),
    trimmed AS (
        SELECT
            household_units,
            seen,
            without_value,
            length(household_results) AS result_count,
            arrayFilter(result -> result >= bounds[1] AND result <= bounds[2], household_results) AS kept_results
        FROM bounded
    ),
    own_statistics AS (
        SELECT
            household_units,
            seen,
            without_value,
            result_count,
            length(kept_results) AS kept_count,
            arrayAvg(kept_results) AS own_value
        FROM trimmed
    ),
    households AS (
        SELECT
            seen + without_value AS row_count,
            seen = 0 AND without_value > 0 AS households_without_value,
            household_units,
            kept_count > 0 AS is_counted,
            kept_count,
            toUInt64(result_count - kept_count) AS results_trimmed,
            if(is_counted, round(own_value, 9), NULL) AS value
        FROM own_statistics
    ),
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
            sum(results_trimmed) AS results_trimmed,
            sum(households_without_value) AS households_without_value
        FROM households
        HAVING sum(row_count) > 0
    ),
    agent_periods AS (
        WITH
            CAST((
                timezone,
                country),
                'Tuple(
                    timezone Nullable(String),
                    country Nullable(String))') AS metadata
        SELECT
            agent_key,
            ifNull(timezone, 'UTC') AS zone,
            greatest(toInt64(toUnixTimestamp(valid_from)), {hours_from:Int64}) AS period_from,
            least(toInt64(toUnixTimestamp(valid_to)) + 1, {hours_end:Int64}) AS period_end
        FROM agent_metadata_current
        WHERE
            organisation_id = {organisation:UInt32}
            AND kind != 'Mobile'
            AND (isNotNull(isp) OR isNotNull(timezone) OR notEmpty(custom))
            AND period_from < period_end
    ),
    zone_ranges AS (
        SELECT
            zone,
            time_range
        FROM agent_periods
        ARRAY JOIN arrayZip(
            {first_slots:Array(Int64)},
            {starts:Array(Int64)},
            {ends:Array(Int64)},
            {local_starts:Array(Int64)},
            {local_ends:Array(Int64)}) AS time_range
        GROUP BY zone, time_range
    ),
    slots AS (
        SELECT
            zone,
            time_range,
            arrayJoin(range(time_range.1, time_range.3, 900)) AS slot
        FROM zone_ranges
    ),
    local_slots AS (
        WITH
            toDateTime(slot, 'UTC') AS slot_time,
            dictGet('timezone_span',
                ('utc_offset_s', 'first_change_at', 'first_change_s', 'second_change_at', 'second_change_s'),
                cityHash64(zone) + bitShiftRight(toUnixTimestamp(slot_time), 22)) AS clock,
            clock.utc_offset_s
                + (slot_time >= clock.first_change_at) * clock.first_change_s
                + (slot_time >= clock.second_change_at) * clock.second_change_s AS utc_offset,
            addSeconds(slot_time, utc_offset) AS local_time
        SELECT
            zone,
            time_range,
            slot,
            utc_offset,
            greatest(slot, time_range.2, time_range.4 - utc_offset) AS slot_from,
            least(slot + 900, time_range.3, time_range.5 - utc_offset) AS slot_end
        FROM slots
        WHERE
            slot_from < slot_end
            AND toHour(local_time) IN (19, 20)
    ),
    numbered_slots AS (
        SELECT
            *,
            slot - 900 * toInt64(row_number() OVER (
                    PARTITION BY zone, time_range, utc_offset ORDER BY slot)) AS segment
        FROM local_slots
    ),
    segments AS (
        SELECT
            zone,
            min(slot_from) AS segment_from,
            max(slot_end) AS segment_end
        FROM numbered_slots
        GROUP BY zone, time_range, utc_offset, segment
    ),
    periods AS (
        SELECT
            zone,
            period_from,
            period_end
        FROM agent_periods
        GROUP BY zone, period_from, period_end
    ),
    period_seconds AS (
        SELECT
            zone,
            period_from,
            period_end,
            sum(
                    least(period_end, segment_end) - greatest(period_from, segment_from)) AS seconds
        FROM periods
        INNER JOIN segments USING (zone)
        WHERE
            period_from < segment_end
            AND segment_from < period_end
        GROUP BY zone, period_from, period_end
    ),
    expected AS (
        SELECT
            '' AS expected_point,
            uniqExact(agent_key) AS expected_agents,
            sum(seconds) AS expected_seconds
        FROM agent_periods
        INNER JOIN period_seconds USING (zone, period_from, period_end)
        GROUP BY expected_point
    ),
    received AS (
        SELECT
            '' AS received_point,
            count() AS received_results,
            uniqExact(agent_key) AS reporting_agents
        FROM results
        WHERE
            has_value
            AND in_window
        GROUP BY received_point
    ),
    covered AS (
        SELECT
            *
        FROM statistics
        LEFT JOIN expected ON '' = expected_point
        LEFT JOIN received ON '' = received_point
    ),
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
        FROM covered
    )
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
            'resultsTrimmed', results_trimmed,
            'householdsWithoutValue', households_without_value) AS leftOut,
    map(
            'expected', expected_seconds / 3600 * 0.25,
            'received', toFloat64(received_results),
            'agents', toFloat64(expected_agents),
            'reporting', toFloat64(reporting_agents),
            'share', if(expected_agents = 0, NULL, reporting_agents / expected_agents)) AS coverage
FROM intervals
SETTINGS
    do_not_merge_across_partitions_select_final = 1,
    prefer_column_name_to_alias = 1,
    output_format_json_quote_64bit_integers = 0,
    query_plan_execute_functions_after_sorting = 0

-- ## two ranges outside of a window
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-01-06 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-05 23:59:59"
-- from_utc_2 DateTime64(3, 'UTC') "2026-01-09 10:00:00"
-- end_utc_2 DateTime64(3, 'UTC') "2026-02-14 10:20:31"
-- from_2 DateTime('UTC') "2026-01-10 00:00:00"
WITH
    results AS (
        WITH
            toDateTime(dtime) AS ended_at,
            if(dictHas('agent_metadata_changes', toUInt64(0), toDateTime(0))
                    AND dictHas('agent_metadata_changes', agent_key, ended_at),
                dictGet('agent_metadata_changes', 'timezone_hash', agent_key, ended_at),
                dictGet('agent_metadata', 'timezone_hash', agent_key, ended_at)) AS timezone_hash,
            dictGet('timezone_span',
                ('utc_offset_s', 'first_change_at', 'first_change_s', 'second_change_at', 'second_change_s'),
                timezone_hash + bitShiftRight(toUnixTimestamp(ended_at), 22)) AS clock,
            addSeconds(ended_at, clock.utc_offset_s
                + (ended_at >= clock.first_change_at) * clock.first_change_s
                + (ended_at >= clock.second_change_at) * clock.second_change_s) AS local_time
        SELECT
            agent_key,
            unit_id,
            toDate32(local_time) AS bucket,
            toFloat64(bytes_sec * 8 / 1e6) AS value
        FROM last_rows_httpget FINAL
        WHERE
            organisation_id = {organisation:UInt32}
            AND (toDate(dtime) >= toDate({from_utc:DateTime64(3, 'UTC')})
                AND toDate(dtime) <= toDate({end_utc:DateTime64(3, 'UTC')})
                AND dtime >= {from_utc:DateTime64(3, 'UTC')}
                AND dtime < {end_utc:DateTime64(3, 'UTC')}
                AND local_time >= {from:DateTime('UTC')}
                AND local_time <= {to:DateTime('UTC')}
                OR toDate(dtime) >= toDate({from_utc_2:DateTime64(3, 'UTC')})
                AND toDate(dtime) <= toDate({end_utc_2:DateTime64(3, 'UTC')})
                AND dtime >= {from_utc_2:DateTime64(3, 'UTC')}
                AND dtime < {end_utc_2:DateTime64(3, 'UTC')}
                AND local_time >= {from_2:DateTime('UTC')})
            AND NOT (toHour(local_time) IN (0, 1))
            AND successes > 0
    ),
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
            count() AS samples,
            uniqExact(agent_key) AS agents,
            uniqExact(unit_id) AS units
        FROM results
        GROUP BY bucket
        HAVING samples > 0
    )
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
