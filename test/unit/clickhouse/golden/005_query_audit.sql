CREATE TABLE IF NOT EXISTS query_audit ON CLUSTER panel
(
    occurred_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC') CODEC(Delta, ZSTD(1)),
    organisation_id UInt32,
    token_id UInt64 COMMENT 'Of the token in Postgres, never the token',
    route LowCardinality(String) COMMENT 'Such as POST /metric_data',
    query_id String COMMENT 'Request id, and the query_id of the query it ran',
    request String COMMENT 'Request body as JSON' CODEC(ZSTD(3)),
    status UInt16 COMMENT 'HTTP status answered',
    code LowCardinality(String) COMMENT 'Code of the envelope: OK, VALIDATION_FAIL ...',
    rows_read UInt64,
    bytes_read UInt64,
    rows_returned UInt64,
    bytes_returned UInt64,
    duration_ms UInt64,
    aborted Bool COMMENT 'The caller went away or the answer was cut short'
)
ENGINE = ReplicatedMergeTree('/clickhouse/tables/all/{database}/{table}', '{shard}-{replica}')
PARTITION BY toYYYYMM(occurred_at)
ORDER BY (organisation_id, occurred_at)
TTL toDateTime(occurred_at) + INTERVAL 13 MONTH
COMMENT 'Queries of the data interface, kept 13 months';
