-- ## hourly
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
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

-- ## two_hourly
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
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
    toStartOfInterval(local_time, INTERVAL 2 HOUR) AS bucket,
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

-- ## four_hourly
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
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
    toStartOfInterval(local_time, INTERVAL 4 HOUR) AS bucket,
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

-- ## six_hourly
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
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
    toStartOfInterval(local_time, INTERVAL 6 HOUR) AS bucket,
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

-- ## daily
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
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

-- ## weekly
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
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
    toDate32(toMonday(local_time)) AS bucket,
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

-- ## monthly
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
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
    toDate32(toStartOfInterval(local_time, INTERVAL 1 MONTH)) AS bucket,
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

-- ## quarterly
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
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
    toDate32(toStartOfInterval(local_time, INTERVAL 3 MONTH)) AS bucket,
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

-- ## yearly
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
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
    toDate32(toStartOfInterval(local_time, INTERVAL 12 MONTH)) AS bucket,
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

-- ## hour_of_day
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
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
    toUInt32(toHour(local_time)) AS bucket,
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

-- ## day_of_week
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
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
    toUInt32(toDayOfWeek(local_time)) AS bucket,
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

-- ## day_of_month
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
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
    toUInt32(toDayOfMonth(local_time)) AS bucket,
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

-- ## hour_of_week
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
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
    toUInt32((toDayOfWeek(local_time) - 1) * 24 + toHour(local_time)) AS bucket,
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

-- ## total
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
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

-- ## split by columns
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
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
    nullIf(target, '') AS target,
    threads,
    nullIf(agent_id, '') AS agent,
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

-- ## split by columns of phones
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
WITH
    toDateTime(dtime) AS ended_at,
    if(dictHas('agent_metadata_changes', toUInt64(0), toDateTime(0))
            AND dictHas('agent_metadata_changes', agent_key, ended_at),
        dictGet('agent_metadata_changes',
            ('timezone_hash', 'country'),
            agent_key, ended_at),
        dictGet('agent_metadata',
            ('timezone_hash', 'country'),
            agent_key, ended_at)) AS metadata,
    dictGet('timezone_span',
        ('utc_offset_s', 'first_change_at', 'first_change_s', 'second_change_at', 'second_change_s'),
        metadata.timezone_hash + bitShiftRight(toUnixTimestamp(ended_at), 22)) AS clock,
    addSeconds(ended_at, clock.utc_offset_s
        + (ended_at >= clock.first_change_at) * clock.first_change_s
        + (ended_at >= clock.second_change_at) * clock.second_change_s) AS local_time
SELECT
    nullIf(carrier_name, '') AS carrier_name,
    metadata.country AS country,
    agent_key,
    unit_id,
    toDate32(local_time) AS bucket,
    toFloat64(bytes_sec * 8 / 1e6) AS value
FROM test_mobile_download FINAL
WHERE
    organisation_id = {organisation:UInt32}
    AND toDate(dtime) >= toDate({from_utc:DateTime64(3, 'UTC')})
    AND toDate(dtime) <= toDate({end_utc:DateTime64(3, 'UTC')})
    AND dtime >= {from_utc:DateTime64(3, 'UTC')}
    AND dtime < {end_utc:DateTime64(3, 'UTC')}
    AND local_time >= {from:DateTime('UTC')}
    AND local_time <= {to:DateTime('UTC')}
    AND successes > 0

-- ## include text
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
-- target Array(String) ["a.example","b.example"]
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
    AND nullIf(target, '') IN {target:Array(String)}

-- ## exclude text
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
-- target_set Array(String) ["europe"]
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
    AND NOT ifNull(
        nullIf(target_group, '') IN {target_set:Array(String)}, 0)

-- ## include numbers
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
-- threads Array(UInt64) [4,8]
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
    AND threads IN {threads:Array(UInt64)}

-- ## exclude unit
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
-- unit Array(UInt64) [123]
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
    AND NOT ifNull(
        unit_id IN {unit:Array(UInt64)}, 0)

-- ## include metadata
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
-- isp Array(String) ["O'Brien \\ Sons"]
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
    AND metadata.isp IN {isp:Array(String)}

-- ## exclude metadata
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
-- package Array(String) ["A:Fibre"]
WITH
    toDateTime(dtime) AS ended_at,
    if(dictHas('agent_metadata_changes', toUInt64(0), toDateTime(0))
            AND dictHas('agent_metadata_changes', agent_key, ended_at),
        dictGet('agent_metadata_changes',
            ('timezone_hash', 'package'),
            agent_key, ended_at),
        dictGet('agent_metadata',
            ('timezone_hash', 'package'),
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
    AND NOT ifNull(
        metadata.package IN {package:Array(String)}, 0)

-- ## include and exclude custom
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
-- custom_key String "tier"
-- custom_value Array(String) ["gold"]
-- custom_key_2 String "isp"
-- custom_value_2 Array(String) ["x"]
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
    AND dictGet('custom_value', 'value', sipHash64(custom_hash, {custom_key:String}))
        IN {custom_value:Array(String)}
    AND NOT ifNull(
        dictGet('custom_value', 'value', sipHash64(custom_hash, {custom_key_2:String}))
        IN {custom_value_2:Array(String)}, 0)
    AND throwIf(custom_hash != 0 AND NOT dictHas('custom_value', sipHash64(custom_hash)),
        'custom values are being loaded: send the request again') = 0

-- ## agents of sets
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
-- set Array(String) ["pilot"]
-- set_2 Array(String) ["fcc-2018-excluded","pilot"]
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
    AND agent_key IN (
        SELECT agent_key FROM agent_set_agents
        WHERE organisation_id = {organisation:UInt32}
            AND name IN {set:Array(String)})
    AND NOT agent_key IN (
        SELECT agent_key FROM agent_set_agents
        WHERE organisation_id = {organisation:UInt32}
            AND name IN {set_2:Array(String)})

-- ## one field twice, and a split
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
-- isp Array(String) ["A","B"]
-- isp_2 Array(String) ["C"]
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
    AND metadata.isp IN {isp:Array(String)}
    AND NOT ifNull(
        metadata.isp IN {isp_2:Array(String)}, 0)

-- ## between instants
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2026-02-07 10:20:30"
-- end_utc DateTime64(3, 'UTC') "2026-02-14 10:20:31"
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
    AND successes > 0

-- ## from clock time to instant
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2026-01-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-14 10:20:31"
-- from DateTime('UTC') "2026-02-01 00:00:00"
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
    AND successes > 0

-- ## httpget with prefilter
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
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
    AND bytes_sec > 0 AND bytes_sec <= 12500000000

-- ## httpget_sustained with prefilter
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
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
    toFloat64(bytes_sec_interval * 8 / 1e6) AS value
FROM last_rows_httpget FINAL
WHERE
    organisation_id = {organisation:UInt32}
    AND toDate(dtime) >= toDate({from_utc:DateTime64(3, 'UTC')})
    AND toDate(dtime) <= toDate({end_utc:DateTime64(3, 'UTC')})
    AND dtime >= {from_utc:DateTime64(3, 'UTC')}
    AND dtime < {end_utc:DateTime64(3, 'UTC')}
    AND local_time >= {from:DateTime('UTC')}
    AND local_time <= {to:DateTime('UTC')}
    AND successes > 0 AND bytes_sec_interval != 0
    AND bytes_sec_interval > 0 AND bytes_sec_interval <= 12500000000

-- ## httpget_retrans with prefilter
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
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
    toFloat64(assumeNotNull(tcp_retransmissions)) AS value
FROM last_rows_httpget FINAL
WHERE
    organisation_id = {organisation:UInt32}
    AND toDate(dtime) >= toDate({from_utc:DateTime64(3, 'UTC')})
    AND toDate(dtime) <= toDate({end_utc:DateTime64(3, 'UTC')})
    AND dtime >= {from_utc:DateTime64(3, 'UTC')}
    AND dtime < {end_utc:DateTime64(3, 'UTC')}
    AND local_time >= {from:DateTime('UTC')}
    AND local_time <= {to:DateTime('UTC')}
    AND successes > 0 AND isNotNull(tcp_retransmissions)
    AND bytes_sec > 0 AND bytes_sec <= 12500000000 AND tcp_retransmissions <= 1000000

-- ## httppost with prefilter
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
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
FROM last_rows_httppost FINAL
WHERE
    organisation_id = {organisation:UInt32}
    AND toDate(dtime) >= toDate({from_utc:DateTime64(3, 'UTC')})
    AND toDate(dtime) <= toDate({end_utc:DateTime64(3, 'UTC')})
    AND dtime >= {from_utc:DateTime64(3, 'UTC')}
    AND dtime < {end_utc:DateTime64(3, 'UTC')}
    AND local_time >= {from:DateTime('UTC')}
    AND local_time <= {to:DateTime('UTC')}
    AND successes > 0
    AND bytes_sec > 0 AND bytes_sec <= 12500000000

-- ## httppost_sustained with prefilter
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
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
    toFloat64(bytes_sec_interval * 8 / 1e6) AS value
FROM last_rows_httppost FINAL
WHERE
    organisation_id = {organisation:UInt32}
    AND toDate(dtime) >= toDate({from_utc:DateTime64(3, 'UTC')})
    AND toDate(dtime) <= toDate({end_utc:DateTime64(3, 'UTC')})
    AND dtime >= {from_utc:DateTime64(3, 'UTC')}
    AND dtime < {end_utc:DateTime64(3, 'UTC')}
    AND local_time >= {from:DateTime('UTC')}
    AND local_time <= {to:DateTime('UTC')}
    AND successes > 0 AND bytes_sec_interval != 0
    AND bytes_sec_interval > 0 AND bytes_sec_interval <= 12500000000

-- ## httppost_retrans with prefilter
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
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
    toFloat64(assumeNotNull(tcp_retransmissions)) AS value
FROM last_rows_httppost FINAL
WHERE
    organisation_id = {organisation:UInt32}
    AND toDate(dtime) >= toDate({from_utc:DateTime64(3, 'UTC')})
    AND toDate(dtime) <= toDate({end_utc:DateTime64(3, 'UTC')})
    AND dtime >= {from_utc:DateTime64(3, 'UTC')}
    AND dtime < {end_utc:DateTime64(3, 'UTC')}
    AND local_time >= {from:DateTime('UTC')}
    AND local_time <= {to:DateTime('UTC')}
    AND successes > 0 AND isNotNull(tcp_retransmissions)
    AND bytes_sec > 0 AND bytes_sec <= 12500000000 AND tcp_retransmissions <= 1000000

-- ## udpLatency with prefilter
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
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
    toFloat64(rtt_avg / 1000) AS value
FROM test_latency FINAL
WHERE
    organisation_id = {organisation:UInt32}
    AND toDate(dtime) >= toDate({from_utc:DateTime64(3, 'UTC')})
    AND toDate(dtime) <= toDate({end_utc:DateTime64(3, 'UTC')})
    AND dtime >= {from_utc:DateTime64(3, 'UTC')}
    AND dtime < {end_utc:DateTime64(3, 'UTC')}
    AND local_time >= {from:DateTime('UTC')}
    AND local_time <= {to:DateTime('UTC')}
    AND successes > 0 AND line_load = 'idle'
    AND successes >= 50 AND failures * 10 <= successes + failures AND rtt_min >= 50 AND rtt_max - rtt_min <= 300000

-- ## udpPacketLoss with prefilter
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
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
    100 * failures / (successes + failures) AS value,
    toFloat64((successes + failures)) AS own_weight
FROM test_latency FINAL
WHERE
    organisation_id = {organisation:UInt32}
    AND toDate(dtime) >= toDate({from_utc:DateTime64(3, 'UTC')})
    AND toDate(dtime) <= toDate({end_utc:DateTime64(3, 'UTC')})
    AND dtime >= {from_utc:DateTime64(3, 'UTC')}
    AND dtime < {end_utc:DateTime64(3, 'UTC')}
    AND local_time >= {from:DateTime('UTC')}
    AND local_time <= {to:DateTime('UTC')}
    AND (successes + failures) > 0 AND line_load = 'idle'
    AND (successes + failures) >= 50 AND (successes + failures) <= 100000

-- ## pingAvg with prefilter
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
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
    toFloat64(rtt_avg / 1000) AS value
FROM test_ping FINAL
WHERE
    organisation_id = {organisation:UInt32}
    AND toDate(dtime) >= toDate({from_utc:DateTime64(3, 'UTC')})
    AND toDate(dtime) <= toDate({end_utc:DateTime64(3, 'UTC')})
    AND dtime >= {from_utc:DateTime64(3, 'UTC')}
    AND dtime < {end_utc:DateTime64(3, 'UTC')}
    AND local_time >= {from:DateTime('UTC')}
    AND local_time <= {to:DateTime('UTC')}
    AND successes > 0 AND line_load = 'idle'
    AND failures <= successes AND rtt_min >= 50 AND rtt_max - rtt_min <= 300000

-- ## pingLoss with prefilter
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
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
    100 * failures / (successes + failures) AS value,
    toFloat64((successes + failures)) AS own_weight
FROM test_ping FINAL
WHERE
    organisation_id = {organisation:UInt32}
    AND toDate(dtime) >= toDate({from_utc:DateTime64(3, 'UTC')})
    AND toDate(dtime) <= toDate({end_utc:DateTime64(3, 'UTC')})
    AND dtime >= {from_utc:DateTime64(3, 'UTC')}
    AND dtime < {end_utc:DateTime64(3, 'UTC')}
    AND local_time >= {from:DateTime('UTC')}
    AND local_time <= {to:DateTime('UTC')}
    AND (successes + failures) > 0 AND line_load = 'idle'
    AND (successes + failures) <= 1000

-- ## pingDownload with prefilter
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
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
    toFloat64(rtt_avg / 1000) AS value
FROM test_ping FINAL
WHERE
    organisation_id = {organisation:UInt32}
    AND toDate(dtime) >= toDate({from_utc:DateTime64(3, 'UTC')})
    AND toDate(dtime) <= toDate({end_utc:DateTime64(3, 'UTC')})
    AND dtime >= {from_utc:DateTime64(3, 'UTC')}
    AND dtime < {end_utc:DateTime64(3, 'UTC')}
    AND local_time >= {from:DateTime('UTC')}
    AND local_time <= {to:DateTime('UTC')}
    AND successes > 0 AND line_load = 'download'
    AND failures <= successes AND rtt_min >= 50

-- ## pingUpload with prefilter
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
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
    toFloat64(rtt_avg / 1000) AS value
FROM test_ping FINAL
WHERE
    organisation_id = {organisation:UInt32}
    AND toDate(dtime) >= toDate({from_utc:DateTime64(3, 'UTC')})
    AND toDate(dtime) <= toDate({end_utc:DateTime64(3, 'UTC')})
    AND dtime >= {from_utc:DateTime64(3, 'UTC')}
    AND dtime < {end_utc:DateTime64(3, 'UTC')}
    AND local_time >= {from:DateTime('UTC')}
    AND local_time <= {to:DateTime('UTC')}
    AND successes > 0 AND line_load = 'upload'
    AND failures <= successes AND rtt_min >= 50

-- ## disconnectionDuration with prefilter
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
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
    toFloat64(duration / 1e6) AS value
FROM test_udpcloss FINAL
WHERE
    organisation_id = {organisation:UInt32}
    AND toDate(dtime) >= toDate({from_utc:DateTime64(3, 'UTC')})
    AND toDate(dtime) <= toDate({end_utc:DateTime64(3, 'UTC')})
    AND dtime >= {from_utc:DateTime64(3, 'UTC')}
    AND dtime < {end_utc:DateTime64(3, 'UTC')}
    AND local_time >= {from:DateTime('UTC')}
    AND local_time <= {to:DateTime('UTC')}
    AND packets > 0 AND duration > 0 AND duration <= 2678400000000

-- ## jitterDown with prefilter
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
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
    toFloat64(jitter_down / 1000) AS value
FROM test_jitter FINAL
WHERE
    organisation_id = {organisation:UInt32}
    AND toDate(dtime) >= toDate({from_utc:DateTime64(3, 'UTC')})
    AND toDate(dtime) <= toDate({end_utc:DateTime64(3, 'UTC')})
    AND dtime >= {from_utc:DateTime64(3, 'UTC')}
    AND dtime < {end_utc:DateTime64(3, 'UTC')}
    AND local_time >= {from:DateTime('UTC')}
    AND local_time <= {to:DateTime('UTC')}
    AND successes > 0 AND packets_down_recv > 0
    AND packets_down_recv >= 50 AND packets_down_recv * 2 >= packets_down_sent AND jitter_down <= 300000

-- ## jitterUp with prefilter
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
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
    toFloat64(jitter_up / 1000) AS value
FROM test_jitter FINAL
WHERE
    organisation_id = {organisation:UInt32}
    AND toDate(dtime) >= toDate({from_utc:DateTime64(3, 'UTC')})
    AND toDate(dtime) <= toDate({end_utc:DateTime64(3, 'UTC')})
    AND dtime >= {from_utc:DateTime64(3, 'UTC')}
    AND dtime < {end_utc:DateTime64(3, 'UTC')}
    AND local_time >= {from:DateTime('UTC')}
    AND local_time <= {to:DateTime('UTC')}
    AND successes > 0 AND packets_up_recv > 0
    AND packets_up_recv >= 50 AND packets_up_recv * 2 >= packets_up_sent AND jitter_up <= 300000

-- ## dnsResponse with prefilter
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
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
    toFloat64(rtt / 1000) AS value
FROM test_dns FINAL
WHERE
    organisation_id = {organisation:UInt32}
    AND toDate(dtime) >= toDate({from_utc:DateTime64(3, 'UTC')})
    AND toDate(dtime) <= toDate({end_utc:DateTime64(3, 'UTC')})
    AND dtime >= {from_utc:DateTime64(3, 'UTC')}
    AND dtime < {end_utc:DateTime64(3, 'UTC')}
    AND local_time >= {from:DateTime('UTC')}
    AND local_time <= {to:DateTime('UTC')}
    AND successes > 0
    AND rtt > 0 AND rtt <= 10000000

-- ## dnsFail with prefilter
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
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
    AND (successes + failures) <= 1000

-- ## webgetAvg with prefilter
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
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
    toFloat64(fetch_time / 1e6) AS value
FROM test_webget FINAL
WHERE
    organisation_id = {organisation:UInt32}
    AND toDate(dtime) >= toDate({from_utc:DateTime64(3, 'UTC')})
    AND toDate(dtime) <= toDate({end_utc:DateTime64(3, 'UTC')})
    AND dtime >= {from_utc:DateTime64(3, 'UTC')}
    AND dtime < {end_utc:DateTime64(3, 'UTC')}
    AND local_time >= {from:DateTime('UTC')}
    AND local_time <= {to:DateTime('UTC')}
    AND successes > 0
    AND fetch_time >= 50000 AND fetch_time <= 30000000

-- ## webgetFail with prefilter
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
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
    100 * failures / (successes + failures) AS value,
    toFloat64((successes + failures)) AS own_weight
FROM test_webget FINAL
WHERE
    organisation_id = {organisation:UInt32}
    AND toDate(dtime) >= toDate({from_utc:DateTime64(3, 'UTC')})
    AND toDate(dtime) <= toDate({end_utc:DateTime64(3, 'UTC')})
    AND dtime >= {from_utc:DateTime64(3, 'UTC')}
    AND dtime < {end_utc:DateTime64(3, 'UTC')}
    AND local_time >= {from:DateTime('UTC')}
    AND local_time <= {to:DateTime('UTC')}
    AND (successes + failures) > 0
    AND (successes + failures) <= 1000

-- ## youtubeBitrate with prefilter
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
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
    toFloat64(bitrate * 8 / 1e6) AS value
FROM test_youtube FINAL
WHERE
    organisation_id = {organisation:UInt32}
    AND toDate(dtime) >= toDate({from_utc:DateTime64(3, 'UTC')})
    AND toDate(dtime) <= toDate({end_utc:DateTime64(3, 'UTC')})
    AND dtime >= {from_utc:DateTime64(3, 'UTC')}
    AND dtime < {end_utc:DateTime64(3, 'UTC')}
    AND local_time >= {from:DateTime('UTC')}
    AND local_time <= {to:DateTime('UTC')}
    AND successes > 0
    AND bitrate > 0 AND bitrate <= 125000000

-- ## youtubeStartup with prefilter
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
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
    toFloat64(startup_delay / 1e6) AS value
FROM test_youtube FINAL
WHERE
    organisation_id = {organisation:UInt32}
    AND toDate(dtime) >= toDate({from_utc:DateTime64(3, 'UTC')})
    AND toDate(dtime) <= toDate({end_utc:DateTime64(3, 'UTC')})
    AND dtime >= {from_utc:DateTime64(3, 'UTC')}
    AND dtime < {end_utc:DateTime64(3, 'UTC')}
    AND local_time >= {from:DateTime('UTC')}
    AND local_time <= {to:DateTime('UTC')}
    AND successes > 0 AND startup_delay != 0
    AND startup_delay > 0 AND startup_delay <= 60000000

-- ## netflixBitrate with prefilter
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
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
    toFloat64(bitrate * 8 / 1e6) AS value
FROM test_netflix FINAL
WHERE
    organisation_id = {organisation:UInt32}
    AND toDate(dtime) >= toDate({from_utc:DateTime64(3, 'UTC')})
    AND toDate(dtime) <= toDate({end_utc:DateTime64(3, 'UTC')})
    AND dtime >= {from_utc:DateTime64(3, 'UTC')}
    AND dtime < {end_utc:DateTime64(3, 'UTC')}
    AND local_time >= {from:DateTime('UTC')}
    AND local_time <= {to:DateTime('UTC')}
    AND successes > 0
    AND bitrate > 0 AND bitrate <= 125000000

-- ## networkUsageDown with prefilter
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
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
    toFloat64((wan_rx_bytes - sk_rx_bytes) / 1e6) AS value
FROM test_network_usage FINAL
WHERE
    organisation_id = {organisation:UInt32}
    AND toDate(dtime) >= toDate({from_utc:DateTime64(3, 'UTC')})
    AND toDate(dtime) <= toDate({end_utc:DateTime64(3, 'UTC')})
    AND dtime >= {from_utc:DateTime64(3, 'UTC')}
    AND dtime < {end_utc:DateTime64(3, 'UTC')}
    AND local_time >= {from:DateTime('UTC')}
    AND local_time <= {to:DateTime('UTC')}
    AND wan_rx_bytes >= 0 AND sk_rx_bytes >= 0 AND wan_rx_bytes >= sk_rx_bytes AND wan_rx_bytes <= 1e11

-- ## networkUsageUp with prefilter
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
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
    toFloat64((wan_tx_bytes - sk_tx_bytes) / 1e6) AS value
FROM test_network_usage FINAL
WHERE
    organisation_id = {organisation:UInt32}
    AND toDate(dtime) >= toDate({from_utc:DateTime64(3, 'UTC')})
    AND toDate(dtime) <= toDate({end_utc:DateTime64(3, 'UTC')})
    AND dtime >= {from_utc:DateTime64(3, 'UTC')}
    AND dtime < {end_utc:DateTime64(3, 'UTC')}
    AND local_time >= {from:DateTime('UTC')}
    AND local_time <= {to:DateTime('UTC')}
    AND wan_tx_bytes >= 0 AND sk_tx_bytes >= 0 AND wan_tx_bytes >= sk_tx_bytes AND wan_tx_bytes <= 1e11

-- ## tracerouteHops with prefilter
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
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
    toFloat64(hop) AS value
FROM last_rows_traceroute FINAL
WHERE
    organisation_id = {organisation:UInt32}
    AND toDate(dtime) >= toDate({from_utc:DateTime64(3, 'UTC')})
    AND toDate(dtime) <= toDate({end_utc:DateTime64(3, 'UTC')})
    AND dtime >= {from_utc:DateTime64(3, 'UTC')}
    AND dtime < {end_utc:DateTime64(3, 'UTC')}
    AND local_time >= {from:DateTime('UTC')}
    AND local_time <= {to:DateTime('UTC')}
    AND successes > 0
    AND hop > 0 AND hop <= 64

-- ## panelDownload with prefilter
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
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
    toFloat64(assumeNotNull(download_mean) * 8 / 1e6) AS value
FROM test_panel FINAL
WHERE
    organisation_id = {organisation:UInt32}
    AND toDate(dtime) >= toDate({from_utc:DateTime64(3, 'UTC')})
    AND toDate(dtime) <= toDate({end_utc:DateTime64(3, 'UTC')})
    AND dtime >= {from_utc:DateTime64(3, 'UTC')}
    AND dtime < {end_utc:DateTime64(3, 'UTC')}
    AND local_time >= {from:DateTime('UTC')}
    AND local_time <= {to:DateTime('UTC')}
    AND isNotNull(download_mean)
    AND download_mean > 0 AND download_mean <= 12500000000

-- ## panelDownloadBusy with prefilter
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
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
    toFloat64(assumeNotNull(busy_download_mean) * 8 / 1e6) AS value
FROM test_panel FINAL
WHERE
    organisation_id = {organisation:UInt32}
    AND toDate(dtime) >= toDate({from_utc:DateTime64(3, 'UTC')})
    AND toDate(dtime) <= toDate({end_utc:DateTime64(3, 'UTC')})
    AND dtime >= {from_utc:DateTime64(3, 'UTC')}
    AND dtime < {end_utc:DateTime64(3, 'UTC')}
    AND local_time >= {from:DateTime('UTC')}
    AND local_time <= {to:DateTime('UTC')}
    AND isNotNull(busy_download_mean)
    AND busy_download_mean > 0 AND busy_download_mean <= 12500000000

-- ## panelUpload with prefilter
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
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
    toFloat64(assumeNotNull(upload_mean) * 8 / 1e6) AS value
FROM test_panel FINAL
WHERE
    organisation_id = {organisation:UInt32}
    AND toDate(dtime) >= toDate({from_utc:DateTime64(3, 'UTC')})
    AND toDate(dtime) <= toDate({end_utc:DateTime64(3, 'UTC')})
    AND dtime >= {from_utc:DateTime64(3, 'UTC')}
    AND dtime < {end_utc:DateTime64(3, 'UTC')}
    AND local_time >= {from:DateTime('UTC')}
    AND local_time <= {to:DateTime('UTC')}
    AND isNotNull(upload_mean)
    AND upload_mean > 0 AND upload_mean <= 12500000000

-- ## panelUploadBusy with prefilter
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
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
    toFloat64(assumeNotNull(busy_upload_mean) * 8 / 1e6) AS value
FROM test_panel FINAL
WHERE
    organisation_id = {organisation:UInt32}
    AND toDate(dtime) >= toDate({from_utc:DateTime64(3, 'UTC')})
    AND toDate(dtime) <= toDate({end_utc:DateTime64(3, 'UTC')})
    AND dtime >= {from_utc:DateTime64(3, 'UTC')}
    AND dtime < {end_utc:DateTime64(3, 'UTC')}
    AND local_time >= {from:DateTime('UTC')}
    AND local_time <= {to:DateTime('UTC')}
    AND isNotNull(busy_upload_mean)
    AND busy_upload_mean > 0 AND busy_upload_mean <= 12500000000

-- ## panelLatency with prefilter
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
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
    toFloat64(assumeNotNull(latency_mean) / 1000) AS value
FROM test_panel FINAL
WHERE
    organisation_id = {organisation:UInt32}
    AND toDate(dtime) >= toDate({from_utc:DateTime64(3, 'UTC')})
    AND toDate(dtime) <= toDate({end_utc:DateTime64(3, 'UTC')})
    AND dtime >= {from_utc:DateTime64(3, 'UTC')}
    AND dtime < {end_utc:DateTime64(3, 'UTC')}
    AND local_time >= {from:DateTime('UTC')}
    AND local_time <= {to:DateTime('UTC')}
    AND isNotNull(latency_mean)
    AND latency_mean >= 50 AND latency_mean <= 10000000

-- ## panelLatencyBusy with prefilter
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
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
    toFloat64(assumeNotNull(busy_latency_mean) / 1000) AS value
FROM test_panel FINAL
WHERE
    organisation_id = {organisation:UInt32}
    AND toDate(dtime) >= toDate({from_utc:DateTime64(3, 'UTC')})
    AND toDate(dtime) <= toDate({end_utc:DateTime64(3, 'UTC')})
    AND dtime >= {from_utc:DateTime64(3, 'UTC')}
    AND dtime < {end_utc:DateTime64(3, 'UTC')}
    AND local_time >= {from:DateTime('UTC')}
    AND local_time <= {to:DateTime('UTC')}
    AND isNotNull(busy_latency_mean)
    AND busy_latency_mean >= 50 AND busy_latency_mean <= 10000000

-- ## panelOutages with prefilter
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
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
    toFloat64(assumeNotNull(daily_outages)) AS value
FROM test_panel FINAL
WHERE
    organisation_id = {organisation:UInt32}
    AND toDate(dtime) >= toDate({from_utc:DateTime64(3, 'UTC')})
    AND toDate(dtime) <= toDate({end_utc:DateTime64(3, 'UTC')})
    AND dtime >= {from_utc:DateTime64(3, 'UTC')}
    AND dtime < {end_utc:DateTime64(3, 'UTC')}
    AND local_time >= {from:DateTime('UTC')}
    AND local_time <= {to:DateTime('UTC')}
    AND isNotNull(daily_outages)
    AND daily_outages >= 0 AND daily_outages <= 1440

-- ## mobileDownload with prefilter
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
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
FROM test_mobile_download FINAL
WHERE
    organisation_id = {organisation:UInt32}
    AND toDate(dtime) >= toDate({from_utc:DateTime64(3, 'UTC')})
    AND toDate(dtime) <= toDate({end_utc:DateTime64(3, 'UTC')})
    AND dtime >= {from_utc:DateTime64(3, 'UTC')}
    AND dtime < {end_utc:DateTime64(3, 'UTC')}
    AND local_time >= {from:DateTime('UTC')}
    AND local_time <= {to:DateTime('UTC')}
    AND successes > 0
    AND bytes_sec > 0 AND bytes_sec <= 2500000000

-- ## mobileUpload with prefilter
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
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
FROM test_mobile_upload FINAL
WHERE
    organisation_id = {organisation:UInt32}
    AND toDate(dtime) >= toDate({from_utc:DateTime64(3, 'UTC')})
    AND toDate(dtime) <= toDate({end_utc:DateTime64(3, 'UTC')})
    AND dtime >= {from_utc:DateTime64(3, 'UTC')}
    AND dtime < {end_utc:DateTime64(3, 'UTC')}
    AND local_time >= {from:DateTime('UTC')}
    AND local_time <= {to:DateTime('UTC')}
    AND successes > 0
    AND bytes_sec > 0 AND bytes_sec <= 2500000000

-- ## mobileLatency with prefilter
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
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
    toFloat64(rtt_avg / 1000) AS value
FROM test_mobile_latency FINAL
WHERE
    organisation_id = {organisation:UInt32}
    AND toDate(dtime) >= toDate({from_utc:DateTime64(3, 'UTC')})
    AND toDate(dtime) <= toDate({end_utc:DateTime64(3, 'UTC')})
    AND dtime >= {from_utc:DateTime64(3, 'UTC')}
    AND dtime < {end_utc:DateTime64(3, 'UTC')}
    AND local_time >= {from:DateTime('UTC')}
    AND local_time <= {to:DateTime('UTC')}
    AND successes > 0
    AND failures <= successes AND rtt_min >= 50 AND rtt_avg <= 10000000

-- ## mobileWww with prefilter
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
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
    toFloat64(fetch_time / 1e6) AS value
FROM test_mobile_www FINAL
WHERE
    organisation_id = {organisation:UInt32}
    AND toDate(dtime) >= toDate({from_utc:DateTime64(3, 'UTC')})
    AND toDate(dtime) <= toDate({end_utc:DateTime64(3, 'UTC')})
    AND dtime >= {from_utc:DateTime64(3, 'UTC')}
    AND dtime < {end_utc:DateTime64(3, 'UTC')}
    AND local_time >= {from:DateTime('UTC')}
    AND local_time <= {to:DateTime('UTC')}
    AND successes > 0
    AND fetch_time >= 50000 AND fetch_time <= 30000000

-- ## mobileYoutube with prefilter
-- organisation UInt32 7
-- from_utc DateTime64(3, 'UTC') "2025-12-31 10:00:00"
-- end_utc DateTime64(3, 'UTC') "2026-02-01 12:00:00"
-- from DateTime('UTC') "2026-01-01 00:00:00"
-- to DateTime('UTC') "2026-01-31 23:59:59"
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
    toFloat64(bitrate * 8 / 1e6) AS value
FROM test_mobile_youtube FINAL
WHERE
    organisation_id = {organisation:UInt32}
    AND toDate(dtime) >= toDate({from_utc:DateTime64(3, 'UTC')})
    AND toDate(dtime) <= toDate({end_utc:DateTime64(3, 'UTC')})
    AND dtime >= {from_utc:DateTime64(3, 'UTC')}
    AND dtime < {end_utc:DateTime64(3, 'UTC')}
    AND local_time >= {from:DateTime('UTC')}
    AND local_time <= {to:DateTime('UTC')}
    AND successes > 0
    AND bitrate > 0 AND bitrate <= 125000000
