-- POST /metric_data
-- {
--   "metric": "httpget", "chartType": "aggregate", "aggregation": "daily", "normalised": false,
--   "prefilter": false, "time": { "from": "2026-01-01", "to": "2026-01-31" },
--   "splits": ["isp", "tier"],
--   "filters": [
--     { "id": "target", "filterType": "include", "filterValues": ["a.example"] },
--     { "id": "threads", "filterType": "include", "filterValues": ["4"] },
--     { "id": "package", "filterType": "exclude", "filterValues": ["A:Fibre"] },
--     { "id": "floor", "filterType": "exclude", "filterValues": ["2"] },
--     { "id": "set", "filterType": "include", "filterValues": ["pilot"] }
--   ]
-- }

-- custom_key String "tier"
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
-- target Array(String) ["a.example"]
-- threads Array(UInt64) [4]
-- set Array(String) ["pilot"]
-- package Array(String) ["A:Fibre"]
-- custom_key_2 String "floor"
-- custom_value Array(String) ["2"]
WITH
    -- Results of the test in the range, with the metadata and local time of their household when they ran.
    -- Only those that pass the filters by fields of results.
    -- Only those that pass the filters by metadata.
    results AS (
        WITH
            toLowCardinality(custom_hash) AS customs
        SELECT
            isp,
            CAST(
                dictGet('custom_value', 'value_id', sipHash64(customs, {custom_key:String})),
                'UInt64') AS custom_2,
            agent_key,
            unit_id,
            toDate32(local_time) AS bucket,
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
            AND nullIf(target, '') IN {target:Array(String)}
            AND threads IN {threads:Array(UInt64)}
            AND agent_key IN (
                SELECT agent_key FROM agent_set_agents
                WHERE organisation_id = {organisation:UInt32}
                    AND name IN {set:Array(String)})
            AND NOT ifNull(
                package IN {package:Array(String)}, 0)
            AND NOT ifNull(
                dictGet('custom_value', 'value', sipHash64(customs, {custom_key_2:String}))
                IN {custom_value:Array(String)}, 0)
            AND throwIf(customs != 0 AND NOT dictHas('custom_value', sipHash64(customs)),
                'custom values are being loaded: send the request again') = 0
    ),
    -- One row per point: the statistics of values of equal weight.
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
    ),
    -- The custom values of the ids that points are grouped by.
    labelled AS (
        SELECT
            *,
            dictGet('custom_value', ('is_number', 'value'), if(
                throwIf(custom_2 != 0 AND NOT dictHas('custom_value', custom_2),
                'custom values are being loaded: send the request again'),
                0, custom_2)) AS label_2
        FROM statistics
    )
-- The points, under the names of the answer.
SELECT
    isp,
    if(label_2.1,
        toFloat64OrNull(label_2.2)::Nullable(Float64)::Variant(Float64, String),
        (label_2.2)::Nullable(String)::Variant(String)::Variant(Float64, String)) AS `tier`,
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
    isp,
    label_2.1 DESC, if(label_2.1, toFloat64OrNull(label_2.2), NULL), label_2.2,
    bucket
SETTINGS
    do_not_merge_across_partitions_select_final = 1,
    prefer_column_name_to_alias = 1,
    output_format_json_quote_64bit_integers = 0,
    query_plan_execute_functions_after_sorting = 0
