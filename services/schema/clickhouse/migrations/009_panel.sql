-- Regulators such as the ACCC and Ofcom publish one line per unit with its averages over a period. Each line is one
-- result. Columns may be missing in a publication, and cells may be blank: both are NULL, never 0.

CREATE TABLE IF NOT EXISTS test_panel
(
    organisation_id UInt32,
    agent_key UInt64 COMMENT 'agents.id in Postgres' CODEC(DoubleDelta, ZSTD(1)),
    base LowCardinality(String) COMMENT 'Device model',
    ddate Date DEFAULT toDate(dtime) COMMENT 'Date the period begins, UTC' CODEC(ZSTD(1)),
    dtime DateTime64(3, 'UTC') COMMENT 'When the period begins, UTC: the local midnight of the unit, if its time zone is known' CODEC(Delta, ZSTD(1)),
    agent_id String CODEC(ZSTD(1)),
    unit_id Nullable(UInt64) COMMENT 'NULL for agents that are not units, such as phones' CODEC(ZSTD(1)),
    period_end Date COMMENT 'Last day of the period, inclusive, local date of the unit' CODEC(ZSTD(1)),
    download_mean Nullable(UInt64) COMMENT 'Mean download speed over all hours, trimmed if the publisher trims it, bytes per second' CODEC(T64, ZSTD(1)),
    download_min Nullable(UInt64) COMMENT 'Lowest download speed, all hours, bytes per second' CODEC(T64, ZSTD(1)),
    download_max Nullable(UInt64) COMMENT 'Highest download speed, all hours, bytes per second' CODEC(T64, ZSTD(1)),
    busy_download_mean Nullable(UInt64) COMMENT 'Mean download speed over busy hours, trimmed if the publisher trims it, bytes per second' CODEC(T64, ZSTD(1)),
    busy_download_min Nullable(UInt64) COMMENT 'Lowest download speed, busy hours, bytes per second' CODEC(T64, ZSTD(1)),
    busy_download_max Nullable(UInt64) COMMENT 'Highest download speed, busy hours, bytes per second' CODEC(T64, ZSTD(1)),
    upload_mean Nullable(UInt64) COMMENT 'Mean upload speed over all hours, trimmed if the publisher trims it, bytes per second' CODEC(T64, ZSTD(1)),
    upload_min Nullable(UInt64) COMMENT 'Lowest upload speed, all hours, bytes per second' CODEC(T64, ZSTD(1)),
    upload_max Nullable(UInt64) COMMENT 'Highest upload speed, all hours, bytes per second' CODEC(T64, ZSTD(1)),
    busy_upload_mean Nullable(UInt64) COMMENT 'Mean upload speed over busy hours, trimmed if the publisher trims it, bytes per second' CODEC(T64, ZSTD(1)),
    busy_upload_min Nullable(UInt64) COMMENT 'Lowest upload speed, busy hours, bytes per second' CODEC(T64, ZSTD(1)),
    busy_upload_max Nullable(UInt64) COMMENT 'Highest upload speed, busy hours, bytes per second' CODEC(T64, ZSTD(1)),
    latency_mean Nullable(UInt32) COMMENT 'Mean round trip over all hours, trimmed if the publisher trims it, microseconds' CODEC(T64, ZSTD(1)),
    latency_min Nullable(UInt32) COMMENT 'Lowest round trip, all hours, microseconds' CODEC(T64, ZSTD(1)),
    latency_max Nullable(UInt32) COMMENT 'Highest round trip, all hours, microseconds' CODEC(T64, ZSTD(1)),
    busy_latency_mean Nullable(UInt32) COMMENT 'Mean round trip over busy hours, trimmed if the publisher trims it, microseconds' CODEC(T64, ZSTD(1)),
    busy_latency_min Nullable(UInt32) COMMENT 'Lowest round trip, busy hours, microseconds' CODEC(T64, ZSTD(1)),
    busy_latency_max Nullable(UInt32) COMMENT 'Highest round trip, busy hours, microseconds' CODEC(T64, ZSTD(1)),
    daily_outages Nullable(Float64) COMMENT 'Outages per day, mean over the period' CODEC(ZSTD(1)),
    received_at DateTime64(6, 'UTC') DEFAULT now64(6, 'UTC') COMMENT 'When the result was received' CODEC(Delta, ZSTD(1)),
    first_received UInt64 MATERIALIZED 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)) - rowNumberInAllBlocks() COMMENT 'Highest for the row received first' CODEC(Delta, ZSTD(1)),
    INDEX dtime_range dtime TYPE minmax GRANULARITY 1
)
ENGINE = ReplacingMergeTree(first_received)
PARTITION BY toYYYYMM(dtime)
ORDER BY (organisation_id, toDate(dtime), agent_key, dtime)
COMMENT 'Unit averages as a regulator publishes them: one result per unit and period, which begins at dtime and ends with the day period_end';
