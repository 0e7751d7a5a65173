-- p0 DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- p1 DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- p2 UInt32 7
-- p3 DateTime('UTC') "2026-01-01 00:00:00"
-- p4 DateTime('UTC') "2026-01-31 23:59:59"
SELECT
    s0 AS isp,
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
        mean,
        sqrt(arraySum((x, w) -> w * pow(x - mean, 2), xs, ws) / total_weight) AS deviation,
        pow(total_weight, 2) / arraySum(w -> w * w, ws) AS effective_count,
        samples,
        agents,
        units,
        xs[1] AS lowest,
        xs[-1] AS highest,
        arrayMap((level, around) -> around[1].1 + if(length(around) = 1, 0, (around[2].1 - around[1].1) * (level - around[1].2) / (around[2].2 - around[1].2)), [0.01, 0.05, 0.1, 0.2, 0.25, 0.5, 0.75, 0.8, 0.9, 0.95, 0.99], [
            arraySlice(placed_values, arrayCount(place -> place <= 0.01, places), 2),
            arraySlice(placed_values, arrayCount(place -> place <= 0.05, places), 2),
            arraySlice(placed_values, arrayCount(place -> place <= 0.1, places), 2),
            arraySlice(placed_values, arrayCount(place -> place <= 0.2, places), 2),
            arraySlice(placed_values, arrayCount(place -> place <= 0.25, places), 2),
            arraySlice(placed_values, arrayCount(place -> place <= 0.5, places), 2),
            arraySlice(placed_values, arrayCount(place -> place <= 0.75, places), 2),
            arraySlice(placed_values, arrayCount(place -> place <= 0.8, places), 2),
            arraySlice(placed_values, arrayCount(place -> place <= 0.9, places), 2),
            arraySlice(placed_values, arrayCount(place -> place <= 0.95, places), 2),
            arraySlice(placed_values, arrayCount(place -> place <= 0.99, places), 2)
        ]) AS quantiles
    FROM (
        SELECT
            s0,
            bucket,
            samples,
            agents,
            units,
            xs,
            ws,
            arraySum(ws) AS total_weight,
            arraySum((x, w) -> x * w, xs, ws) / total_weight AS mean,
            if(length(xs) = 1, [0.], arrayMap(middle -> (middle - first_middle) / span, middles)) AS places,
            arrayZip(xs, places) AS placed_values
        FROM (
            SELECT
                s0,
                bucket,
                samples,
                agents,
                units,
                points.1 AS xs,
                arrayFlatten(arrayMap(run -> arraySort(run), arraySplit((w, step) -> step != 0, points.2, arrayDifference(xs)))) AS ws,
                arrayMap((reached, w) -> reached - w / 2, arrayCumSum(ws), ws) AS middles,
                middles[1] AS first_middle,
                middles[-1] - first_middle AS span
            FROM (
                SELECT
                    s0,
                    bucket,
                    arraySort(point -> point.1, groupArray((x, weight))) AS points,
                    count() AS samples,
                    uniqExact(agent_key) AS agents,
                    uniqExact(unit_id) AS units
                FROM (
                    SELECT
                        s0,
                        bucket,
                        agent_key,
                        unit_id,
                        x,
                        share / sum(share) OVER (PARTITION BY s0, bucket, block) AS weight
                    FROM (
                        SELECT
                            s0,
                            bucket,
                            agent_key,
                            unit_id,
                            x,
                            block,
                            1 / count() OVER (PARTITION BY s0, bucket, block, agent_key) AS share
                        FROM (
                            WITH
                                toDateTime(dtime) AS ended_at,
                                dictGet('agent_metadata', ('timezone', 'isp'), agent_key, ended_at) AS metadata,
                                addSeconds(ended_at, dictGetOrDefault('timezone_offset', 'utc_offset_s', ifNull(metadata.timezone, 'UTC'), ended_at, 0)) AS local_time
                            SELECT
                                metadata.isp AS s0,
                                agent_key,
                                unit_id,
                                toDate(local_time) AS bucket,
                                intDiv(toHour(local_time), 2) AS block,
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
                    )
                )
                GROUP BY s0, bucket
                HAVING samples > 0
            )
        )
    )
)
ORDER BY s0, bucket
SETTINGS
    do_not_merge_across_partitions_select_final = 1,
    prefer_column_name_to_alias = 1,
    output_format_json_quote_64bit_integers = 0
