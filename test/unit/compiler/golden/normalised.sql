-- p0 DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- p1 DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- p2 UInt32 7
-- p3 DateTime('UTC') "2026-01-01 00:00:00"
-- p4 DateTime('UTC') "2026-01-31 23:59:59"
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
FROM (
    SELECT
        bucket,
        mean,
        sqrt(arraySum((x, w) -> w * pow(x - mean, 2), xs, ws) / total_weight) AS deviation,
        pow(total_weight, 2) / arraySum(w -> w * w, ws) AS effective_count,
        samples,
        agents,
        units,
        xs[1] AS lowest,
        xs[-1] AS highest,
        [
            xs[ranks[1]] + if(ranks[1] = least(ranks[1] + 1, length(xs)), 0, (xs[least(ranks[1] + 1, length(xs))] - xs[ranks[1]]) * ((positions[1] + 0.01 * (positions[-1] - positions[1])) - positions[ranks[1]]) / (positions[least(ranks[1] + 1, length(xs))] - positions[ranks[1]])),
            xs[ranks[2]] + if(ranks[2] = least(ranks[2] + 1, length(xs)), 0, (xs[least(ranks[2] + 1, length(xs))] - xs[ranks[2]]) * ((positions[1] + 0.05 * (positions[-1] - positions[1])) - positions[ranks[2]]) / (positions[least(ranks[2] + 1, length(xs))] - positions[ranks[2]])),
            xs[ranks[3]] + if(ranks[3] = least(ranks[3] + 1, length(xs)), 0, (xs[least(ranks[3] + 1, length(xs))] - xs[ranks[3]]) * ((positions[1] + 0.1 * (positions[-1] - positions[1])) - positions[ranks[3]]) / (positions[least(ranks[3] + 1, length(xs))] - positions[ranks[3]])),
            xs[ranks[4]] + if(ranks[4] = least(ranks[4] + 1, length(xs)), 0, (xs[least(ranks[4] + 1, length(xs))] - xs[ranks[4]]) * ((positions[1] + 0.2 * (positions[-1] - positions[1])) - positions[ranks[4]]) / (positions[least(ranks[4] + 1, length(xs))] - positions[ranks[4]])),
            xs[ranks[5]] + if(ranks[5] = least(ranks[5] + 1, length(xs)), 0, (xs[least(ranks[5] + 1, length(xs))] - xs[ranks[5]]) * ((positions[1] + 0.25 * (positions[-1] - positions[1])) - positions[ranks[5]]) / (positions[least(ranks[5] + 1, length(xs))] - positions[ranks[5]])),
            xs[ranks[6]] + if(ranks[6] = least(ranks[6] + 1, length(xs)), 0, (xs[least(ranks[6] + 1, length(xs))] - xs[ranks[6]]) * ((positions[1] + 0.5 * (positions[-1] - positions[1])) - positions[ranks[6]]) / (positions[least(ranks[6] + 1, length(xs))] - positions[ranks[6]])),
            xs[ranks[7]] + if(ranks[7] = least(ranks[7] + 1, length(xs)), 0, (xs[least(ranks[7] + 1, length(xs))] - xs[ranks[7]]) * ((positions[1] + 0.75 * (positions[-1] - positions[1])) - positions[ranks[7]]) / (positions[least(ranks[7] + 1, length(xs))] - positions[ranks[7]])),
            xs[ranks[8]] + if(ranks[8] = least(ranks[8] + 1, length(xs)), 0, (xs[least(ranks[8] + 1, length(xs))] - xs[ranks[8]]) * ((positions[1] + 0.8 * (positions[-1] - positions[1])) - positions[ranks[8]]) / (positions[least(ranks[8] + 1, length(xs))] - positions[ranks[8]])),
            xs[ranks[9]] + if(ranks[9] = least(ranks[9] + 1, length(xs)), 0, (xs[least(ranks[9] + 1, length(xs))] - xs[ranks[9]]) * ((positions[1] + 0.9 * (positions[-1] - positions[1])) - positions[ranks[9]]) / (positions[least(ranks[9] + 1, length(xs))] - positions[ranks[9]])),
            xs[ranks[10]] + if(ranks[10] = least(ranks[10] + 1, length(xs)), 0, (xs[least(ranks[10] + 1, length(xs))] - xs[ranks[10]]) * ((positions[1] + 0.95 * (positions[-1] - positions[1])) - positions[ranks[10]]) / (positions[least(ranks[10] + 1, length(xs))] - positions[ranks[10]])),
            xs[ranks[11]] + if(ranks[11] = least(ranks[11] + 1, length(xs)), 0, (xs[least(ranks[11] + 1, length(xs))] - xs[ranks[11]]) * ((positions[1] + 0.99 * (positions[-1] - positions[1])) - positions[ranks[11]]) / (positions[least(ranks[11] + 1, length(xs))] - positions[ranks[11]]))
        ] AS quantiles
    FROM (
        SELECT
            bucket,
            samples,
            agents,
            units,
            xs,
            ws,
            positions,
            arraySum(ws) AS total_weight,
            arraySum((x, w) -> x * w, xs, ws) / total_weight AS mean,
            [
                greatest(arrayCount(position -> position <= (positions[1] + 0.01 * (positions[-1] - positions[1])), positions), 1),
                greatest(arrayCount(position -> position <= (positions[1] + 0.05 * (positions[-1] - positions[1])), positions), 1),
                greatest(arrayCount(position -> position <= (positions[1] + 0.1 * (positions[-1] - positions[1])), positions), 1),
                greatest(arrayCount(position -> position <= (positions[1] + 0.2 * (positions[-1] - positions[1])), positions), 1),
                greatest(arrayCount(position -> position <= (positions[1] + 0.25 * (positions[-1] - positions[1])), positions), 1),
                greatest(arrayCount(position -> position <= (positions[1] + 0.5 * (positions[-1] - positions[1])), positions), 1),
                greatest(arrayCount(position -> position <= (positions[1] + 0.75 * (positions[-1] - positions[1])), positions), 1),
                greatest(arrayCount(position -> position <= (positions[1] + 0.8 * (positions[-1] - positions[1])), positions), 1),
                greatest(arrayCount(position -> position <= (positions[1] + 0.9 * (positions[-1] - positions[1])), positions), 1),
                greatest(arrayCount(position -> position <= (positions[1] + 0.95 * (positions[-1] - positions[1])), positions), 1),
                greatest(arrayCount(position -> position <= (positions[1] + 0.99 * (positions[-1] - positions[1])), positions), 1)
            ] AS ranks
        FROM (
            SELECT
                bucket,
                samples,
                agents,
                units,
                points.1 AS xs,
                points.2 AS ws,
                arrayMap((reached, w) -> reached - w / 2, arrayCumSum(ws), ws) AS positions
            FROM (
                SELECT
                    bucket,
                    arraySort(groupArrayArray(block_points)) AS points,
                    sum(block_samples) AS samples,
                    uniqExactArray(block_agents) AS agents,
                    uniqExactArray(block_units) AS units
                FROM (
                    SELECT
                        bucket,
                        count() AS agents_in_block,
                        arrayMap(point -> (point.1, point.2 / agents_in_block), groupArrayArray(agent_points)) AS block_points,
                        sum(agent_samples) AS block_samples,
                        groupArray(agent_key) AS block_agents,
                        groupUniqArrayArray(agent_units) AS block_units
                    FROM (
                        SELECT
                            bucket,
                            block,
                            agent_key,
                            count() AS agent_samples,
                            arrayMap(value -> (value, 1 / agent_samples), groupArray(x)) AS agent_points,
                            groupUniqArray(unit_id) AS agent_units
                        FROM (
                            WITH
                                toDateTime(dtime) AS ended_at,
                                dictGet('agent_metadata', 'timezone', agent_key, ended_at) AS metadata,
                                addSeconds(ended_at, dictGetOrDefault('timezone_offset', 'utc_offset_s', ifNull(metadata, 'UTC'), ended_at, 0)) AS local_time
                            SELECT
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
                        GROUP BY bucket, block, agent_key
                    )
                    GROUP BY bucket, block
                )
                GROUP BY bucket
                HAVING samples > 0
            )
        )
    )
)
ORDER BY bucket
SETTINGS
    do_not_merge_across_partitions_select_final = 1,
    prefer_column_name_to_alias = 1,
    output_format_json_quote_64bit_integers = 0
