-- ## plain
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

-- ## total
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
    )
SELECT
    mean AS metricValue,
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
SETTINGS
    do_not_merge_across_partitions_select_final = 1,
    prefer_column_name_to_alias = 1,
    output_format_json_quote_64bit_integers = 0,
    query_plan_execute_functions_after_sorting = 0

-- ## split by metadata
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
            count() AS samples,
            uniqExact(agent_key) AS agents,
            uniqExact(unit_id) AS units
        FROM results
        GROUP BY isp, bucket
        HAVING samples > 0
    )
SELECT
    isp,
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
ORDER BY isp, bucket
SETTINGS
    do_not_merge_across_partitions_select_final = 1,
    prefer_column_name_to_alias = 1,
    output_format_json_quote_64bit_integers = 0,
    query_plan_execute_functions_after_sorting = 0

-- ## split by unit
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
            unit_id,
            agent_key,
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
    statistics AS (
        SELECT
            unit_id,
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
        GROUP BY unit_id, bucket
        HAVING samples > 0
    )
SELECT
    toString(unit_id) AS unit,
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
ORDER BY unit_id, bucket
SETTINGS
    do_not_merge_across_partitions_select_final = 1,
    prefer_column_name_to_alias = 1,
    output_format_json_quote_64bit_integers = 0,
    query_plan_execute_functions_after_sorting = 0

-- ## split by custom fields
-- custom_key String "tier"
-- custom_key_2 String "isp"
-- custom_key_3 String "it's `odd`"
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
            CAST(
                dictGet('custom_value', 'value_id', sipHash64(custom_hash, {custom_key:String})),
                'UInt64') AS custom_1,
            CAST(
                dictGet('custom_value', 'value_id', sipHash64(custom_hash, {custom_key_2:String})),
                'UInt64') AS custom_2,
            CAST(
                dictGet('custom_value', 'value_id', sipHash64(custom_hash, {custom_key_3:String})),
                'UInt64') AS custom_3,
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
            custom_1,
            custom_2,
            custom_3,
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
        GROUP BY custom_1, custom_2, custom_3, bucket
        HAVING samples > 0
    ),
    labelled AS (
        SELECT
            *,
            dictGet('custom_value', ('is_number', 'value'), if(
                throwIf(custom_1 != 0 AND NOT dictHas('custom_value', custom_1),
                'custom values are being loaded: send the request again'),
                0, custom_1)) AS label_1,
            dictGet('custom_value', ('is_number', 'value'), if(
                throwIf(custom_2 != 0 AND NOT dictHas('custom_value', custom_2),
                'custom values are being loaded: send the request again'),
                0, custom_2)) AS label_2,
            dictGet('custom_value', ('is_number', 'value'), if(
                throwIf(custom_3 != 0 AND NOT dictHas('custom_value', custom_3),
                'custom values are being loaded: send the request again'),
                0, custom_3)) AS label_3
        FROM statistics
    )
SELECT
    if(label_1.1,
        toFloat64OrNull(label_1.2)::Nullable(Float64)::Variant(Float64, String),
        (label_1.2)::Nullable(String)::Variant(String)::Variant(Float64, String)) AS `tier`,
    if(label_2.1,
        toFloat64OrNull(label_2.2)::Nullable(Float64)::Variant(Float64, String),
        (label_2.2)::Nullable(String)::Variant(String)::Variant(Float64, String)) AS `custom.isp`,
    if(label_3.1,
        toFloat64OrNull(label_3.2)::Nullable(Float64)::Variant(Float64, String),
        (label_3.2)::Nullable(String)::Variant(String)::Variant(Float64, String)) AS `it\'s \`odd\``,
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
FROM labelled
ORDER BY
    label_1.1 DESC, if(label_1.1, toFloat64OrNull(label_1.2), NULL), label_1.2,
    label_2.1 DESC, if(label_2.1, toFloat64OrNull(label_2.2), NULL), label_2.2,
    label_3.1 DESC, if(label_3.1, toFloat64OrNull(label_3.2), NULL), label_3.2,
    bucket
SETTINGS
    do_not_merge_across_partitions_select_final = 1,
    prefer_column_name_to_alias = 1,
    output_format_json_quote_64bit_integers = 0,
    query_plan_execute_functions_after_sorting = 0

-- ## each household once
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
    isp,
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
ORDER BY isp, bucket
SETTINGS
    do_not_merge_across_partitions_select_final = 1,
    prefer_column_name_to_alias = 1,
    output_format_json_quote_64bit_integers = 0,
    query_plan_execute_functions_after_sorting = 0

-- ## each household once, normalised
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
            toDate32(local_time) AS bucket,
            intDiv(toHour(local_time), 2) AS block,
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
    per_block AS (
        SELECT
            bucket,
            agent_key,
            avg(value) AS block_mean,
            count() AS block_samples,
            groupUniqArray(unit_id) AS block_units
        FROM results
        GROUP BY bucket, agent_key, block
    ),
    per_household AS (
        SELECT
            bucket,
            avg(block_mean) AS household_mean,
            sum(block_samples) AS household_samples,
            groupUniqArrayArray(block_units) AS household_units
        FROM per_block
        GROUP BY bucket, agent_key
    ),
    statistics AS (
        SELECT
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
        GROUP BY bucket
        HAVING samples > 0
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

-- ## normalised
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
            intDiv(toHour(local_time), 2) AS block,
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
    blocks AS (
        SELECT
            isp,
            bucket,
            groupArray(value) AS block_values,
            groupArray(agent_key) AS block_agents,
            groupArray(unit_id) AS block_units,
            arrayMap((place, place_from_end) -> 1 / (place + place_from_end - 1),
                arrayEnumerateUniq(block_agents),
                arrayReverse(arrayEnumerateUniq(arrayReverse(block_agents)))) AS block_shares,
            arrayMap(share -> share / arrayUniq(block_agents), block_shares) AS block_weights
        FROM results
        GROUP BY isp, bucket, block
    ),
    points AS (
        SELECT
            isp,
            bucket,
            groupArrayArray(block_values) AS all_values,
            groupArrayArray(block_weights) AS all_weights,
            arraySort(point -> point.1, arrayZip(all_values, all_weights)) AS points,
            sum(length(block_values)) AS samples,
            uniqExactArray(block_agents) AS agents,
            uniqExactArray(block_units) AS units
        FROM blocks
        GROUP BY isp, bucket
        HAVING count() > 0
    ),
    midpoints AS (
        SELECT
            isp,
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
SELECT
    isp,
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
ORDER BY isp, bucket
SETTINGS
    do_not_merge_across_partitions_select_final = 1,
    prefer_column_name_to_alias = 1,
    output_format_json_quote_64bit_integers = 0,
    query_plan_execute_functions_after_sorting = 0

-- ## rate
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
            toDate32(local_time) AS bucket,
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
            AND (successes + failures) > 0
    ),
    points AS (
        SELECT
            bucket,
            arraySort(point -> point.1, groupArray((value, own_weight))) AS points,
            count() AS samples,
            uniqExact(agent_key) AS agents,
            uniqExact(unit_id) AS units
        FROM results
        GROUP BY bucket
        HAVING samples > 0
    ),
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
    centred AS (
        SELECT
            *,
            arraySum(ws) AS total_weight,
            clamp(arraySum((x, w) -> x * w, xs, ws) / total_weight, xs[1], xs[-1]) AS mean
        FROM midpoints
    ),
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

-- ## rate, normalised
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
            toDate32(local_time) AS bucket,
            toHour(local_time) AS block,
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
            AND (successes + failures) > 0
    ),
    shares AS (
        SELECT
            bucket,
            block,
            agent_key,
            unit_id,
            value,
            own_weight / sum(own_weight) OVER (PARTITION BY bucket, block, agent_key) AS share
        FROM results
    ),
    blocks AS (
        SELECT
            bucket,
            groupArray(value) AS block_values,
            groupArray(agent_key) AS block_agents,
            groupArray(unit_id) AS block_units,
            groupArray(share) AS block_shares,
            arrayMap(share -> share / arrayUniq(block_agents), block_shares) AS block_weights
        FROM shares
        GROUP BY bucket, block
    ),
    points AS (
        SELECT
            bucket,
            groupArrayArray(block_values) AS all_values,
            groupArrayArray(block_weights) AS all_weights,
            arraySort(point -> point.1, arrayZip(all_values, all_weights)) AS points,
            sum(length(block_values)) AS samples,
            uniqExactArray(block_agents) AS agents,
            uniqExactArray(block_units) AS units
        FROM blocks
        GROUP BY bucket
        HAVING count() > 0
    ),
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
    centred AS (
        SELECT
            *,
            arraySum(ws) AS total_weight,
            clamp(arraySum((x, w) -> x * w, xs, ws) / total_weight, xs[1], xs[-1]) AS mean
        FROM midpoints
    ),
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

-- ## rate, each household once
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
            toDate32(local_time) AS bucket,
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
            AND (successes + failures) > 0
    ),
    per_household AS (
        SELECT
            bucket,
            avgWeighted(value, own_weight) AS household_mean,
            count() AS household_samples,
            groupUniqArray(unit_id) AS household_units
        FROM results
        GROUP BY bucket, agent_key
    ),
    statistics AS (
        SELECT
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
        GROUP BY bucket
        HAVING samples > 0
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

-- ## rate, each household once, normalised
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
            toDate32(local_time) AS bucket,
            toHour(local_time) AS block,
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
            AND (successes + failures) > 0
    ),
    per_block AS (
        SELECT
            bucket,
            agent_key,
            avgWeighted(value, own_weight) AS block_mean,
            count() AS block_samples,
            groupUniqArray(unit_id) AS block_units
        FROM results
        GROUP BY bucket, agent_key, block
    ),
    per_household AS (
        SELECT
            bucket,
            avg(block_mean) AS household_mean,
            sum(block_samples) AS household_samples,
            groupUniqArrayArray(block_units) AS household_units
        FROM per_block
        GROUP BY bucket, agent_key
    ),
    statistics AS (
        SELECT
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
        GROUP BY bucket
        HAVING samples > 0
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

-- ## raw
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
            agent_id,
            unit_id,
            local_time,
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
    )
SELECT
    value AS metricValue,
    formatDateTime(local_time, '%Y-%m-%dT%H:%i:%S') AS dtime,
    agent_id AS agent,
    ifNull(toString(unit_id), '') AS unit
FROM results
ORDER BY local_time, agent_id, unit_id, value
SETTINGS
    do_not_merge_across_partitions_select_final = 1,
    prefer_column_name_to_alias = 1,
    output_format_json_quote_64bit_integers = 0

-- ## raw, split
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
            nullIf(agent_id, '') AS agent,
            unit_id,
            agent_id,
            local_time,
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
    )
SELECT
    isp,
    value AS metricValue,
    formatDateTime(local_time, '%Y-%m-%dT%H:%i:%S') AS dtime,
    agent_id AS agent,
    ifNull(toString(unit_id), '') AS unit
FROM results
ORDER BY local_time, agent_id, unit_id, value, isp, agent, unit_id
SETTINGS
    do_not_merge_across_partitions_select_final = 1,
    prefer_column_name_to_alias = 1,
    output_format_json_quote_64bit_integers = 0

-- ## percentiles as columns
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
    )
SELECT
    mean AS metricValue,
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
    quantiles[1] AS p1,
    quantiles[2] AS p5,
    quantiles[3] AS p10,
    quantiles[4] AS p20,
    quantiles[5] AS p25,
    quantiles[6] AS p50,
    quantiles[7] AS p75,
    quantiles[8] AS p80,
    quantiles[9] AS p90,
    quantiles[10] AS p95,
    quantiles[11] AS p99
FROM statistics
SETTINGS
    do_not_merge_across_partitions_select_final = 1,
    prefer_column_name_to_alias = 1,
    output_format_json_quote_64bit_integers = 0,
    query_plan_execute_functions_after_sorting = 0
