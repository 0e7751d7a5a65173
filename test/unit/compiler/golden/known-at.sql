-- ## known at a moment
-- organisation UInt32 7
-- change UInt64 42
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
WITH
    results AS (
        WITH
            toDateTime(dtime) AS ended_at,
            ifNull(cityHash64(known.timezone), 0) AS timezone_hash,
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
        ASOF LEFT JOIN (
            SELECT
                agent_key AS known_agent,
                valid_from AS known_from,
                timezone
            FROM agent_metadata_known_at
            WHERE organisation_id = {organisation:UInt32} AND fill = (
                SELECT argMax(fill, filled_at)
                FROM agent_metadata_known_at_fill
                WHERE organisation_id = {organisation:UInt32} AND change_id = {change:UInt64}
                HAVING throwIf(count() = 0, 'its metadata is not copied any more: send the request again') = 0
            )
        ) AS known ON known_agent = agent_key AND known_from <= toDateTime(dtime)
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
    join_algorithm = 'hash',
    query_plan_execute_functions_after_sorting = 0

-- ## known at a moment, each kind of field
-- custom_key String "tier"
-- organisation UInt32 7
-- change UInt64 42
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
-- package Array(String) ["A:Fibre"]
WITH
    results AS (
        WITH
            toDateTime(dtime) AS ended_at,
            CAST((
                ifNull(cityHash64(known.timezone), 0),
                known.isp,
                known.custom_json,
                if(dictHas('agent_metadata_changes', toUInt64(0), toDateTime(0))
                    AND dictHas('agent_metadata_changes', agent_key, ended_at),
                dictGet('agent_metadata_changes', 'country', agent_key, ended_at),
                dictGet('agent_metadata', 'country', agent_key, ended_at)),
                known.package,
                known.custom_number_keys),
                'Tuple(
                    timezone_hash UInt64,
                    isp Nullable(String),
                    custom_json String,
                    country Nullable(String),
                    package Nullable(String),
                    custom_number_keys Array(String))') AS metadata,
            dictGet('timezone_span',
                ('utc_offset_s', 'first_change_at', 'first_change_s', 'second_change_at', 'second_change_s'),
                metadata.timezone_hash + bitShiftRight(toUnixTimestamp(ended_at), 22)) AS clock,
            addSeconds(ended_at, clock.utc_offset_s
                + (ended_at >= clock.first_change_at) * clock.first_change_s
                + (ended_at >= clock.second_change_at) * clock.second_change_s) AS local_time
        SELECT
            metadata.isp AS isp,
            (has(metadata.custom_number_keys, {custom_key:String}),
                JSONExtract(metadata.custom_json, {custom_key:String}, 'Nullable(String)')) AS custom_2,
            metadata.country AS country,
            agent_key,
            unit_id,
            toDate32(local_time) AS bucket,
            toFloat64(bytes_sec * 8 / 1e6) AS value
        FROM last_rows_httpget FINAL
        ASOF LEFT JOIN (
            SELECT
                agent_key AS known_agent,
                valid_from AS known_from,
                timezone,
                isp,
                toJSONString(custom) AS custom_json,
                package,
                custom_number_keys
            FROM agent_metadata_known_at
            WHERE organisation_id = {organisation:UInt32} AND fill = (
                SELECT argMax(fill, filled_at)
                FROM agent_metadata_known_at_fill
                WHERE organisation_id = {organisation:UInt32} AND change_id = {change:UInt64}
                HAVING throwIf(count() = 0, 'its metadata is not copied any more: send the request again') = 0
            )
        ) AS known ON known_agent = agent_key AND known_from <= toDateTime(dtime)
        WHERE
            organisation_id = {organisation:UInt32}
            AND toDate(dtime) >= toDate({from_utc:DateTime64(3, 'UTC')})
            AND toDate(dtime) <= toDate({end_utc:DateTime64(3, 'UTC')})
            AND dtime >= {from_utc:DateTime64(3, 'UTC')}
            AND dtime < {end_utc:DateTime64(3, 'UTC')}
            AND local_time >= {from:DateTime('UTC')}
            AND local_time <= {to:DateTime('UTC')}
            AND successes > 0
            AND NOT ifNull(
                metadata.package IN {package:Array(String)}, 0)
    ),
    statistics AS (
        SELECT
            isp,
            custom_2,
            country,
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
        GROUP BY isp, custom_2, country, bucket
        HAVING samples > 0
    )
SELECT
    isp,
    if(custom_2.1,
        toFloat64OrNull(custom_2.2)::Nullable(Float64)::Variant(Float64, String),
        (custom_2.2)::Nullable(String)::Variant(String)::Variant(Float64, String)) AS `tier`,
    country,
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
ORDER BY
    isp,
    custom_2.1 DESC, if(custom_2.1, toFloat64OrNull(custom_2.2), NULL), custom_2.2,
    country,
    bucket
SETTINGS
    do_not_merge_across_partitions_select_final = 1,
    prefer_column_name_to_alias = 1,
    output_format_json_quote_64bit_integers = 0,
    join_algorithm = 'hash',
    query_plan_execute_functions_after_sorting = 0

-- ## known at a moment, raw
-- organisation UInt32 7
-- change UInt64 42
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
WITH
    results AS (
        WITH
            toDateTime(dtime) AS ended_at,
            CAST((
                ifNull(cityHash64(known.timezone), 0),
                known.package),
                'Tuple(
                    timezone_hash UInt64,
                    package Nullable(String))') AS metadata,
            dictGet('timezone_span',
                ('utc_offset_s', 'first_change_at', 'first_change_s', 'second_change_at', 'second_change_s'),
                metadata.timezone_hash + bitShiftRight(toUnixTimestamp(ended_at), 22)) AS clock,
            addSeconds(ended_at, clock.utc_offset_s
                + (ended_at >= clock.first_change_at) * clock.first_change_s
                + (ended_at >= clock.second_change_at) * clock.second_change_s) AS local_time
        SELECT
            metadata.package AS package,
            agent_id,
            unit_id,
            local_time,
            toFloat64(bytes_sec * 8 / 1e6) AS value
        FROM last_rows_httpget FINAL
        ASOF LEFT JOIN (
            SELECT
                agent_key AS known_agent,
                valid_from AS known_from,
                timezone,
                package
            FROM agent_metadata_known_at
            WHERE organisation_id = {organisation:UInt32} AND fill = (
                SELECT argMax(fill, filled_at)
                FROM agent_metadata_known_at_fill
                WHERE organisation_id = {organisation:UInt32} AND change_id = {change:UInt64}
                HAVING throwIf(count() = 0, 'its metadata is not copied any more: send the request again') = 0
            )
        ) AS known ON known_agent = agent_key AND known_from <= toDateTime(dtime)
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
    package,
    value AS metricValue,
    formatDateTime(local_time, '%Y-%m-%dT%H:%i:%S') AS dtime,
    agent_id AS agent,
    ifNull(toString(unit_id), '') AS unit
FROM results
ORDER BY local_time, agent_id, unit_id, value, package
SETTINGS
    do_not_merge_across_partitions_select_final = 1,
    prefer_column_name_to_alias = 1,
    output_format_json_quote_64bit_integers = 0,
    join_algorithm = 'hash'
