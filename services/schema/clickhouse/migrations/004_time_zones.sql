-- The UTC offset of every time zone. netpanel migrate writes the offsets of moment-timezone under the version of
-- its time zone data. Writing one version twice leaves the same rows.
CREATE TABLE IF NOT EXISTS timezone_offset_source
(
    tzdata_version String COMMENT 'Such as 2026a',
    timezone String COMMENT 'IANA name',
    valid_from DateTime('UTC'),
    valid_to DateTime('UTC') COMMENT 'Last second, inclusive',
    utc_offset_s Int32 COMMENT 'Seconds to add to UTC: Asia/Kathmandu is 20700'
)
ENGINE = ReplacingMergeTree
ORDER BY (tzdata_version, timezone, valid_from)
COMMENT 'UTC offset of each time zone by validity period';

CREATE TABLE IF NOT EXISTS timezone_offset_version
(
    tzdata_version String,
    row_count UInt64,
    published_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC')
)
ENGINE = MergeTree
ORDER BY published_at
COMMENT 'Versions of timezone_offset_source that are complete; the last published is in use';

-- Local time without a lookup by text: docs/decisions/local-time.md. The metadata dictionaries have the hash of the time
-- zone, and timezone_span has the UTC offset by that hash and by span of 2^22 seconds (48.5 days). A hash and not a number of
-- our own, so that neither dictionary depends on when the other was loaded.
--
-- No time zone has more than two clock changes in a span, which a test checks. A missing change is 0 seconds at 1970. A key
-- that is not found, of an agent without a time zone, has the offset 0.
CREATE DICTIONARY IF NOT EXISTS timezone_span
(
    id UInt64,
    utc_offset_s Int32,
    first_change_at DateTime('UTC'),
    first_change_s Int32,
    second_change_at DateTime('UTC'),
    second_change_s Int32
)
PRIMARY KEY id
SOURCE(CLICKHOUSE(
    HOST '127.0.0.1' USER '${user}' PASSWORD '${password}' DB '${database}'
    QUERY '
        SELECT
            timezone_hash + span AS id,
            offsets[1].2 AS utc_offset_s,
            offsets[2].1 AS first_change_at,
            if(length(offsets) < 2, 0, offsets[2].2 - offsets[1].2) AS first_change_s,
            offsets[3].1 AS second_change_at,
            if(length(offsets) < 3, 0, offsets[3].2 - offsets[2].2) AS second_change_s
        FROM (
            SELECT
                cityHash64(timezone) AS timezone_hash,
                arrayJoin(range(
                    bitShiftRight(toUnixTimestamp(valid_from), 22),
                    bitShiftRight(toUnixTimestamp(valid_to), 22) + 1)) AS span,
                arraySort(groupArray((valid_from, utc_offset_s))) AS offsets
            FROM ${database}.timezone_offset_source FINAL
            WHERE tzdata_version = (
                SELECT tzdata_version FROM ${database}.timezone_offset_version
                ORDER BY published_at DESC, tzdata_version DESC LIMIT 1)
            GROUP BY timezone_hash, span)'
))
LAYOUT(HASHED_ARRAY())
LIFETIME(0)
COMMENT 'UTC offset of a time zone and its changes in a span of 2^22 seconds; key: cityHash64(timezone) + span';
