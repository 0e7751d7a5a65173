-- ## privacy floor
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
            AND successes > 0
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
            count() AS samples,
            uniqExact(agent_key) AS agents,
            uniqExact(unit_id) AS units
        FROM results
        HAVING samples > 0
    ),
    floor_counts AS (
        SELECT
            *,
            agents AS floor_agents
        FROM statistics
    ),
    floored AS (
        SELECT
            *,
            floor_agents >= 5 AS is_shown
        FROM floor_counts
    )
SELECT
    if(is_shown, mean, NULL) AS metricValue,
    if(is_shown, deviation, NULL) AS stdDev,
    if(is_shown, samples, NULL) AS sampleCount,
    if(is_shown, agents, NULL) AS agentCount,
    if(is_shown, units, NULL) AS unitCount,
    if(is_shown, 1.644854 * deviation / sqrt(effective_count), NULL) AS ci90,
    if(is_shown, 1.959964 * deviation / sqrt(effective_count), NULL) AS ci95,
    if(is_shown, 2.575829 * deviation / sqrt(effective_count), NULL) AS ci99,
    CAST(NULL, 'Nullable(Float64)') AS min,
    CAST(NULL, 'Nullable(Float64)') AS max,
    if(is_shown, quantiles[6], NULL) AS median,
    mapApply(
        (name, number) -> (name, if(is_shown, number, NULL)),
        mapFromArrays(['1', '5', '10', '20', '25', '50', '75', '80', '90', '95', '99'], quantiles)) AS percentiles,
    CAST(NOT is_shown, 'Bool') AS suppressed
FROM floored
SETTINGS
    do_not_merge_across_partitions_select_final = 1,
    prefer_column_name_to_alias = 1,
    output_format_json_quote_64bit_integers = 0,
    query_plan_execute_functions_after_sorting = 0

-- ## privacy floor, split in buckets
-- custom_key String "tier"
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
            CAST(
                dictGet('custom_value', 'value_id', sipHash64(custom_hash, {custom_key:String})),
                'UInt64') AS custom_2,
            agent_key,
            unit_id,
            toDate32(local_time) AS bucket,
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
            AND successes > 0
            AND throwIf(custom_hash != 0 AND NOT dictHas('custom_value', sipHash64(custom_hash)),
                'custom values are being loaded: send the request again') = 0
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
            count() AS samples,
            uniqExact(agent_key) AS agents,
            uniqExact(unit_id) AS units
        FROM results
        GROUP BY isp, custom_2, bucket
        HAVING samples > 0
    ),
    floor_counts AS (
        SELECT
            *,
            agents AS floor_agents
        FROM statistics
    ),
    smaller_points AS (
        WITH
            dictGet('custom_value', ('is_number', 'value'), if(
                throwIf(custom_2 != 0 AND NOT dictHas('custom_value', custom_2),
                'custom values are being loaded: send the request again'),
                0, custom_2)) AS label_2
        SELECT
            *,
            min(floor_agents) OVER (PARTITION BY bucket) AS fewest_agents,
            sum(floor_agents) OVER (PARTITION BY bucket
                ORDER BY floor_agents,
                    isp,
                    label_2.1 DESC, if(label_2.1, toFloat64OrNull(label_2.2), NULL), label_2.2
                ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS smaller_agents
        FROM floor_counts
    ),
    floored AS (
        SELECT
            *,
            floor_agents >= 5 AND (fewest_agents >= 5 OR smaller_agents >= 5) AS is_shown
        FROM smaller_points
    ),
    labelled AS (
        SELECT
            *,
            dictGet('custom_value', ('is_number', 'value'), if(
                throwIf(custom_2 != 0 AND NOT dictHas('custom_value', custom_2),
                'custom values are being loaded: send the request again'),
                0, custom_2)) AS label_2
        FROM floored
    )
SELECT
    isp,
    if(label_2.1,
        toFloat64OrNull(label_2.2)::Nullable(Float64)::Variant(Float64, String),
        (label_2.2)::Nullable(String)::Variant(String)::Variant(Float64, String)) AS `tier`,
    if(is_shown, mean, NULL) AS metricValue,
    toString(bucket) AS dtime,
    if(is_shown, deviation, NULL) AS stdDev,
    if(is_shown, samples, NULL) AS sampleCount,
    if(is_shown, agents, NULL) AS agentCount,
    if(is_shown, units, NULL) AS unitCount,
    if(is_shown, 1.644854 * deviation / sqrt(effective_count), NULL) AS ci90,
    if(is_shown, 1.959964 * deviation / sqrt(effective_count), NULL) AS ci95,
    if(is_shown, 2.575829 * deviation / sqrt(effective_count), NULL) AS ci99,
    CAST(NULL, 'Nullable(Float64)') AS min,
    CAST(NULL, 'Nullable(Float64)') AS max,
    if(is_shown, quantiles[6], NULL) AS median,
    mapApply(
        (name, number) -> (name, if(is_shown, number, NULL)),
        mapFromArrays(['1', '5', '10', '20', '25', '50', '75', '80', '90', '95', '99'], quantiles)) AS percentiles,
    CAST(NOT is_shown, 'Bool') AS suppressed
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

-- ## privacy floor, each household once
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
            toDate32(local_time) AS bucket,
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
            AND successes > 0
    ),
    per_household AS (
        SELECT
            isp,
            bucket,
            avg(value) AS household_mean,
            count() AS household_samples,
            groupUniqArray(unit_id) AS household_units
        FROM results
        GROUP BY isp, bucket, agent_key
    ),
    statistics AS (
        SELECT
            isp,
            bucket,
            clamp(avg(household_mean), min(household_mean), max(household_mean)) AS mean,
            stddevPopStable(household_mean) AS deviation,
            toFloat64(count(household_mean)) AS effective_count,
            min(household_mean) AS lowest,
            max(household_mean) AS highest,
            quantilesExactInclusive(
                0.01, 0.05, 0.1, 0.2, 0.25, 0.5, 0.75, 0.8, 0.9, 0.95, 0.99)(household_mean) AS quantiles,
            sum(household_samples) AS samples,
            count() AS agents,
            uniqExactArray(household_units) AS units
        FROM per_household
        GROUP BY isp, bucket
        HAVING samples > 0
    ),
    floor_counts AS (
        SELECT
            *,
            agents AS floor_agents
        FROM statistics
    ),
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
    floored AS (
        SELECT
            *,
            floor_agents >= 5 AND (fewest_agents >= 5 OR smaller_agents >= 5) AS is_shown
        FROM smaller_points
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
        FROM floored
    )
SELECT
    isp,
    if(is_shown, mean, NULL) AS metricValue,
    toString(bucket) AS dtime,
    if(is_shown, deviation, NULL) AS stdDev,
    if(is_shown, samples, NULL) AS sampleCount,
    if(is_shown, agents, NULL) AS agentCount,
    if(is_shown, units, NULL) AS unitCount,
    if(is_shown, t90 * household_error, NULL) AS ci90,
    if(is_shown, t95 * household_error, NULL) AS ci95,
    if(is_shown, t99 * household_error, NULL) AS ci99,
    CAST(NULL, 'Nullable(Float64)') AS min,
    CAST(NULL, 'Nullable(Float64)') AS max,
    if(is_shown, quantiles[6], NULL) AS median,
    mapApply(
        (name, number) -> (name, if(is_shown, number, NULL)),
        mapFromArrays(['1', '5', '10', '20', '25', '50', '75', '80', '90', '95', '99'], quantiles)) AS percentiles,
    CAST(NOT is_shown, 'Bool') AS suppressed
FROM intervals
ORDER BY isp, bucket
SETTINGS
    do_not_merge_across_partitions_select_final = 1,
    prefer_column_name_to_alias = 1,
    output_format_json_quote_64bit_integers = 0,
    query_plan_execute_functions_after_sorting = 0

-- ## privacy floor and a larger minimum, weighted
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
            countIf(has_value AND household_weight IS NOT NULL) AS result_count,
            avgIf(value, has_value AND household_weight IS NOT NULL) AS own_value,
            quantileExactInclusiveIf(0.2)(value, has_value AND household_weight IS NOT NULL) AS own_low_value,
            groupUniqArrayIf(unit_id, has_value AND household_weight IS NOT NULL) AS household_units,
            countIf(has_value) AS seen,
            countIf(NOT has_value) AS without_value,
            assumeNotNull(argMaxIf(household_weight, ended_at,
                has_value AND household_weight IS NOT NULL)) AS household_weight,
            countIf(has_value AND household_weight IS NULL) AS results_without_weight
        FROM results
        GROUP BY isp, bucket, agent_key
    ),
    households AS (
        SELECT
            isp,
            bucket,
            seen + without_value AS row_count,
            seen = 0 AND without_value > 0 AS households_without_value,
            household_units,
            household_weight AS weight,
            result_count > 0 AS is_counted,
            result_count AS kept_count,
            results_without_weight,
            round(own_value, 9) AS value,
            round(own_low_value, 9) AS low_value
        FROM per_household
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
            arrayMap(
                (level, around) -> around[1].1 + if(length(around) = 1, 0,
                    (around[2].1 - around[1].1)
                        * (low_first_midpoint + level * low_span - around[1].2) / (around[2].2 - around[1].2)),
                [0],
                [
                    arraySlice(low_positioned_values,
                        arrayCount(midpoint -> midpoint <= low_first_midpoint + 0 * low_span, low_midpoints), 2)
                ])[1] AS consistent_value,
            if(agents < 2, NULL,
                sqrt(agents / (agents - 1) * arraySum((x, w) -> pow(w * (x - mean), 2), xs, ws))
                / total_weight) AS household_error
        FROM centred
    ),
    floor_counts AS (
        SELECT
            *,
            least(agents, toUInt64(ifNotFinite(effective_count, 0) + 1e-6)) AS floor_agents
        FROM statistics
    ),
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
    floored AS (
        SELECT
            *,
            floor_agents >= 10 AND (fewest_agents >= 10 OR smaller_agents >= 10) AS is_shown
        FROM smaller_points
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
        FROM floored
    )
SELECT
    isp,
    if(is_shown, mean, NULL) AS metricValue,
    toString(bucket) AS dtime,
    if(is_shown, deviation, NULL) AS stdDev,
    if(is_shown, samples, NULL) AS sampleCount,
    if(is_shown, agents, NULL) AS agentCount,
    if(is_shown, units, NULL) AS unitCount,
    if(is_shown, t90 * household_error, NULL) AS ci90,
    if(is_shown, t95 * household_error, NULL) AS ci95,
    if(is_shown, t99 * household_error, NULL) AS ci99,
    CAST(NULL, 'Nullable(Float64)') AS min,
    CAST(NULL, 'Nullable(Float64)') AS max,
    if(is_shown, quantiles[6], NULL) AS median,
    mapApply(
        (name, number) -> (name, if(is_shown, number, NULL)),
        mapFromArrays(['1', '5', '10', '20', '25', '50', '75', '80', '90', '95', '99'], quantiles)) AS percentiles,
    CAST(NULL, 'Nullable(Float64)') AS consistent,
    mapApply(
        (name, number) -> (name, if(is_shown, number, NULL)),
        map(
            'resultsWithoutWeight', results_without_weight,
            'householdsWithoutValue', households_without_value)) AS leftOut,
    CAST(NOT is_shown, 'Bool') AS suppressed
FROM intervals
ORDER BY isp, bucket
SETTINGS
    do_not_merge_across_partitions_select_final = 1,
    prefer_column_name_to_alias = 1,
    output_format_json_quote_64bit_integers = 0,
    query_plan_execute_functions_after_sorting = 0

-- ## privacy floor and a smaller minimum, busiest hour
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
    floor_counts AS (
        SELECT
            *,
            agents AS floor_agents
        FROM statistics
    ),
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
    floored AS (
        SELECT
            *,
            floor_agents >= 5 AND (fewest_agents >= 5 OR smaller_agents >= 5) AS is_shown
        FROM smaller_points
    ),
    over_buckets AS (
        SELECT
            *
        FROM floored
        WHERE
            is_shown
        ORDER BY round(mean, 9), bucket
        LIMIT 1 BY isp
    )
SELECT
    isp,
    if(is_shown, mean, NULL) AS metricValue,
    bucket AS aggregatedNumber,
    if(is_shown, deviation, NULL) AS stdDev,
    if(is_shown, samples, NULL) AS sampleCount,
    if(is_shown, agents, NULL) AS agentCount,
    if(is_shown, units, NULL) AS unitCount,
    if(is_shown, 1.644854 * deviation / sqrt(effective_count), NULL) AS ci90,
    if(is_shown, 1.959964 * deviation / sqrt(effective_count), NULL) AS ci95,
    if(is_shown, 2.575829 * deviation / sqrt(effective_count), NULL) AS ci99,
    CAST(NULL, 'Nullable(Float64)') AS min,
    CAST(NULL, 'Nullable(Float64)') AS max,
    if(is_shown, quantiles[6], NULL) AS median,
    mapApply(
        (name, number) -> (name, if(is_shown, number, NULL)),
        mapFromArrays(['1', '5', '10', '20', '25', '50', '75', '80', '90', '95', '99'], quantiles)) AS percentiles,
    mapApply(
        (name, number) -> (name, if(is_shown, number, NULL)),
        map(
            'householdsWithoutValue', households_without_value)) AS leftOut,
    CAST(NOT is_shown, 'Bool') AS suppressed
FROM over_buckets
ORDER BY isp, bucket
SETTINGS
    do_not_merge_across_partitions_select_final = 1,
    prefer_column_name_to_alias = 1,
    output_format_json_quote_64bit_integers = 0,
    query_plan_execute_functions_after_sorting = 0
