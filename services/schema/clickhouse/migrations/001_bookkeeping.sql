-- Tables that the services and the loader write for their own use.

-- Audit log of the data interface: who sent which request, and what it cost. No endpoint returns it. netpanel removes it
-- by whole months when it is older than RETENTION_AUDIT_DAYS; the TTL is longer than a period that anyone needs.
CREATE TABLE IF NOT EXISTS query_audit
(
    occurred_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC') CODEC(Delta, ZSTD(1)),
    organisation_id UInt32 COMMENT '0 for requests without a valid token: one row per address, status and minute',
    token_id UInt64 COMMENT 'Of the token in Postgres, never the token; 0 for a download by link',
    route LowCardinality(String) COMMENT 'Such as POST /metric_data',
    query_id String COMMENT 'Request id, the query_id of the query it ran, or the id of the export',
    request String COMMENT 'Request body or parameters as JSON; over 64 KiB with shortened lists and the hash of the whole' CODEC(ZSTD(3)),
    status UInt16 COMMENT 'HTTP status of the response',
    code LowCardinality(String) COMMENT 'Code of the envelope: OK, VALIDATION_FAIL ...',
    rows_read UInt64,
    bytes_read UInt64,
    rows_returned UInt64,
    bytes_returned UInt64,
    duration_ms UInt64,
    aborted Bool COMMENT 'The client disconnected or the response was cut short'
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(occurred_at)
ORDER BY (organisation_id, occurred_at)
TTL toDateTime(occurred_at) + INTERVAL 20 YEAR
COMMENT 'Requests of the data interface, exports and downloads, kept RETENTION_AUDIT_DAYS';

-- The values of filter fields that each organisation's results have, for the auto-complete of
-- GET /filters/{id}/values. The materialized views filter_values_<test> add the values of every insert; a value is
-- never removed. Agents and units are listed from Postgres, metadata from its snapshot. Sorted for a search by
-- prefix that ignores the case of A to Z (lower, because some builds of ClickHouse have no lowerUTF8):
--
--   SELECT value FROM filter_values
--   WHERE organisation_id = 1 AND field = 'target' AND startsWith(value_lower, 'lon')
CREATE TABLE IF NOT EXISTS filter_values
(
    organisation_id UInt32,
    field LowCardinality(String) COMMENT 'As named in a request: target_set, carrier_name ...',
    value_lower String COMMENT 'The value with A to Z in lower case',
    value String COMMENT 'As text, also where it is a number'
)
ENGINE = ReplacingMergeTree
ORDER BY (organisation_id, field, value_lower, value)
COMMENT 'Values of the fields of results, for auto-complete';

-- Blocks of rows that netpanel load has inserted. A file that is loaded again, or continued after a failure, skips
-- them.
CREATE TABLE IF NOT EXISTS loaded_blocks
(
    organisation_id UInt32,
    test LowCardinality(String) COMMENT 'Key of the test: rows are in test_<key>',
    sha256 String COMMENT 'Of the rows as they were sent',
    row_count UInt64,
    loaded_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC')
)
ENGINE = ReplacingMergeTree
ORDER BY (organisation_id, test, sha256)
COMMENT 'Blocks of rows that the loader has sent';
