-- What the responses of the query service depend on, and stored responses.

CREATE TABLE IF NOT EXISTS data_versions
(
    organisation_id UInt32 COMMENT '0: all organisations',
    test LowCardinality(String) COMMENT 'Empty: all tests and days',
    day Date COMMENT 'Of dtime, UTC',
    row_count UInt64 COMMENT 'Rows inserted, duplicates included',
    version UInt64 COMMENT 'Sum of random numbers, one per change'
)
ENGINE = SummingMergeTree((row_count, version))
ORDER BY (organisation_id, test, day)
COMMENT 'Changes whenever results of a day change: the sum of version is another one. Filled at insert by the materialized views data_versions_<test>_feed';

CREATE TABLE IF NOT EXISTS stored_answers
(
    organisation_id UInt32,
    key String COMMENT 'Digest of the query and its range',
    data_version UInt64 COMMENT 'Of the days that the query reads',
    metadata_version UInt64,
    rows_text String COMMENT 'Rows as JSONEachRow' CODEC(ZSTD(1)),
    stored_at DateTime('UTC') DEFAULT now('UTC')
)
ENGINE = ReplacingMergeTree(stored_at)
PARTITION BY toYYYYMMDD(stored_at)
ORDER BY (organisation_id, key)
TTL stored_at + INTERVAL 30 DAY
SETTINGS ttl_only_drop_parts = 1
COMMENT 'Rows of finished buckets that the query service has computed, for the next request';
