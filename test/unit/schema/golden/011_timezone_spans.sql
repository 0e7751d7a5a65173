CREATE OR REPLACE DICTIONARY timezone_span ON CLUSTER panel
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
    QUERY 'SELECT timezone_hash + span AS id, offsets[1].2 AS utc_offset_s, offsets[2].1 AS first_change_at, if(length(offsets) < 2, 0, offsets[2].2 - offsets[1].2) AS first_change_s, offsets[3].1 AS second_change_at, if(length(offsets) < 3, 0, offsets[3].2 - offsets[2].2) AS second_change_s FROM (SELECT cityHash64(timezone) AS timezone_hash, arrayJoin(range(bitShiftRight(toUnixTimestamp(valid_from), 22), bitShiftRight(toUnixTimestamp(valid_to), 22) + 1)) AS span, arraySort(groupArray((valid_from, utc_offset_s))) AS offsets FROM ${database}.timezone_offset_source FINAL WHERE tzdata_version = (SELECT tzdata_version FROM ${database}.timezone_offset_version ORDER BY published_at DESC, tzdata_version DESC LIMIT 1) GROUP BY timezone_hash, span)'
))
LAYOUT(HASHED_ARRAY())
LIFETIME(0)
COMMENT 'UTC offset of a time zone and its changes in a span of 2^22 seconds; key: cityHash64(timezone) + span';
