-- p0 DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- p1 DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- p2 UInt32 7
-- p3 DateTime('UTC') "2026-01-01 00:00:00"
-- p4 DateTime('UTC') "2026-01-31 23:59:59"
-- p5 String "it's `odd`"
SELECT
    if(s0.1, CAST(toFloat64OrNull(s0.2), 'Variant(Float64, String)'), CAST(CAST(s0.2, 'Variant(String)'), 'Variant(Float64, String)')) AS `it\'s \`odd\``,
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
FROM (
    SELECT
        s0,
        bucket,
        avg(x) AS mean,
        stddevPopStable(x) AS deviation,
        toFloat64(count()) AS effective_count,
        min(x) AS lowest,
        max(x) AS highest,
        quantilesExactInclusive(0.01, 0.05, 0.1, 0.2, 0.25, 0.5, 0.75, 0.8, 0.9, 0.95, 0.99)(x) AS quantiles,
        count() AS samples,
        uniqExact(agent_key) AS agents,
        uniqExact(unit_id) AS units
    FROM (
        WITH
            toDateTime(dtime) AS ended_at,
            dictGet('agent_metadata', ('timezone', 'custom_json', 'custom_number_keys'), agent_key, ended_at) AS metadata,
            addSeconds(ended_at, dictGetOrDefault('timezone_offset', 'utc_offset_s', ifNull(metadata.timezone, 'UTC'), ended_at, 0)) AS local_time
        SELECT
            (has(metadata.custom_number_keys, {p5:String}), JSONExtract(metadata.custom_json, {p5:String}, 'Nullable(String)')) AS s0,
            agent_key,
            unit_id,
            toDate(local_time) AS bucket,
            toFloat64(bytes_sec * 8 / 1e6) AS x
        FROM test_httpget FINAL
        WHERE
            organisation_id = {p2:UInt32}
            AND toDate(dtime) >= toDate({p0:DateTime64(3, 'UTC')})
            AND toDate(dtime) <= toDate({p1:DateTime64(3, 'UTC')})
            AND dtime >= {p0:DateTime64(3, 'UTC')}
            AND dtime < {p1:DateTime64(3, 'UTC')}
            AND local_time >= {p3:DateTime('UTC')}
            AND local_time <= {p4:DateTime('UTC')}
            AND successes > 0
            AND (
                (SELECT count() FROM test_httpget WHERE organisation_id = {p2:UInt32} AND toDate(dtime) >= toDate({p0:DateTime64(3, 'UTC')}) AND toDate(dtime) <= toDate({p1:DateTime64(3, 'UTC')}) AND dtime >= {p0:DateTime64(3, 'UTC')} AND dtime < {p1:DateTime64(3, 'UTC')} AND sequence > 0) = 0
                OR sequence > 0 AND (agent_key, dtime, target, threads, ip_version, sequence) IN (SELECT agent_key, dtime, target, threads, ip_version, max(sequence) FROM test_httpget WHERE organisation_id = {p2:UInt32} AND toDate(dtime) >= toDate({p0:DateTime64(3, 'UTC')}) AND toDate(dtime) <= toDate({p1:DateTime64(3, 'UTC')}) AND dtime >= {p0:DateTime64(3, 'UTC')} AND dtime < {p1:DateTime64(3, 'UTC')} AND sequence > 0 GROUP BY agent_key, dtime, target, threads, ip_version)
                OR NOT (sequence > 0) AND (agent_key, dtime, target, threads, ip_version) NOT IN (SELECT agent_key, dtime, target, threads, ip_version FROM test_httpget WHERE organisation_id = {p2:UInt32} AND toDate(dtime) >= toDate({p0:DateTime64(3, 'UTC')}) AND toDate(dtime) <= toDate({p1:DateTime64(3, 'UTC')}) AND dtime >= {p0:DateTime64(3, 'UTC')} AND dtime < {p1:DateTime64(3, 'UTC')} AND sequence > 0)
            )
    )
    GROUP BY s0, bucket
    HAVING samples > 0
)
ORDER BY s0.1 DESC, if(s0.1, toFloat64OrNull(s0.2), NULL), s0.2, bucket
SETTINGS
    do_not_merge_across_partitions_select_final = 1,
    prefer_column_name_to_alias = 1,
    output_format_json_quote_64bit_integers = 0
