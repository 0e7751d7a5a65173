-- POST /metric_data
-- {
--   "metric": "httpget", "chartType": "aggregate", "aggregation": "total", "normalised": false,
--   "prefilter": false, "time": { "from": "2026-01-01", "to": "2026-01-31" },
--   "coverage": true
-- }

-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
-- hours_from Int64 1767175200
-- hours_end Int64 1769947200
-- first_slots Array(Int64) [1767175200]
-- starts Array(Int64) [1767175200]
-- ends Array(Int64) [1769947200]
-- local_starts Array(Int64) [1767225600]
-- local_ends Array(Int64) [1769904000]
WITH
    -- Rows of the test in the range, also those without a value, with metadata and local time when they ran.
    results AS (
        SELECT
            agent_key,
            unit_id,
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
    -- The results of the points: one that is left out has no value.
    counted AS (
        SELECT
            agent_key,
            unit_id,
            if(has_value, value, NULL) AS value,
            has_value
        FROM results
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
            toUInt64(uniqExact(agent_key)
                - uniqExactIf(agent_key, has_value)) AS households_without_value
        FROM counted
        HAVING count() > 0
    ),
    -- The periods of agents that run the test, with the metadata of splits and filters.
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
            AND kind NOT IN ('Mobile', 'Cell')
            AND (isNotNull(isp) OR isNotNull(timezone) OR notEmpty(custom))
            AND period_from < period_end
    ),
    -- The requested range, for each time zone of these agents.
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
    -- Quarters of an hour of the range.
    slots AS (
        SELECT
            zone,
            time_range,
            arrayJoin(range(time_range.1, time_range.3, 900)) AS slot
        FROM zone_ranges
    ),
    -- The bucket of each quarter in local time, and the part of it in the range and the window.
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
    ),
    -- Quarters that follow each other in one bucket have the same segment.
    numbered_slots AS (
        SELECT
            *,
            slot - 900 * toInt64(row_number() OVER (
                    PARTITION BY zone, time_range, utc_offset ORDER BY slot)) AS segment
        FROM local_slots
    ),
    -- The uninterrupted parts of the range in each bucket.
    segments AS (
        SELECT
            zone,
            min(slot_from) AS segment_from,
            max(slot_end) AS segment_end
        FROM numbered_slots
        GROUP BY zone, time_range, utc_offset, segment
    ),
    -- The different periods: most agents share theirs.
    periods AS (
        SELECT
            zone,
            period_from,
            period_end
        FROM agent_periods
        GROUP BY zone, period_from, period_end
    ),
    -- The seconds of each period in each bucket.
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
    -- The agents and seconds that each point should have.
    expected AS (
        SELECT
            '' AS expected_point,
            uniqExact(agent_key) AS expected_agents,
            sum(seconds) AS expected_seconds
        FROM agent_periods
        INNER JOIN period_seconds USING (zone, period_from, period_end)
        GROUP BY expected_point
    ),
    -- Each point with what was expected and received.
    covered AS (
        SELECT
            *,
            samples AS received_results,
            agents AS reporting_agents
        FROM statistics
        LEFT JOIN expected ON '' = expected_point
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
    map(
            'householdsWithoutValue', households_without_value) AS leftOut,
    map(
            'expected', expected_seconds / 3600 * 0.5,
            'received', toFloat64(received_results),
            'agents', toFloat64(expected_agents),
            'reporting', toFloat64(reporting_agents),
            'share', if(expected_agents = 0, NULL, reporting_agents / expected_agents)) AS coverage
FROM covered
SETTINGS
    do_not_merge_across_partitions_select_final = 1,
    prefer_column_name_to_alias = 1,
    output_format_json_quote_64bit_integers = 0,
    query_plan_execute_functions_after_sorting = 0,
    short_circuit_function_evaluation = 'disable'
