CREATE TABLE IF NOT EXISTS query_audit ON CLUSTER panel
(
    occurred_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC') CODEC(Delta, ZSTD(1)),
    organisation_id UInt32,
    token_id UInt64 COMMENT 'Of the token in Postgres, never the token',
    route LowCardinality(String) COMMENT 'Such as POST /metric_data',
    query_id String COMMENT 'Request id, and the query_id of the query it ran',
    request String COMMENT 'Request body as JSON' CODEC(ZSTD(3)),
    status UInt16 COMMENT 'HTTP status of the response',
    code LowCardinality(String) COMMENT 'Code of the envelope: OK, VALIDATION_FAIL ...',
    rows_read UInt64,
    bytes_read UInt64,
    rows_returned UInt64,
    bytes_returned UInt64,
    duration_ms UInt64,
    aborted Bool COMMENT 'The client disconnected or the response was cut short'
)
ENGINE = ReplicatedMergeTree('/clickhouse/tables/all/{database}/{table}', '{shard}-{replica}')
PARTITION BY toYYYYMM(occurred_at)
ORDER BY (organisation_id, occurred_at)
TTL toDateTime(occurred_at) + INTERVAL 13 MONTH
COMMENT 'Queries of the data interface, kept 13 months';

CREATE TABLE IF NOT EXISTS filter_values ON CLUSTER panel
(
    organisation_id UInt32,
    field LowCardinality(String) COMMENT 'As named in a request: target_set, carrier_name ...',
    value_lower String COMMENT 'The value with A to Z in lower case',
    value String COMMENT 'As text, also where it is a number'
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/all/{database}/{table}', '{shard}-{replica}')
ORDER BY (organisation_id, field, value_lower, value)
COMMENT 'Values of the fields of results, for auto-complete';

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
