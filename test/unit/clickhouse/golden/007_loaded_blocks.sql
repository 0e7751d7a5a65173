CREATE TABLE IF NOT EXISTS loaded_blocks ON CLUSTER panel
(
    organisation_id UInt32,
    test LowCardinality(String) COMMENT 'Key of the test: rows are in test_<key>',
    sha256 String COMMENT 'Of the rows as they were sent',
    row_count UInt64,
    loaded_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC')
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/all/{database}/{table}', '{shard}-{replica}')
ORDER BY (organisation_id, test, sha256)
COMMENT 'Blocks of rows that the loader has sent';
