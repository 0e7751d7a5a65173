CREATE TABLE IF NOT EXISTS test_udpcloss_shard ON CLUSTER panel
(
    organisation_id UInt32,
    agent_key UInt64 COMMENT 'agents.id in Postgres' CODEC(DoubleDelta, ZSTD(1)),
    base LowCardinality(String) COMMENT 'Device model',
    ddate Date DEFAULT toDate(dtime) COMMENT 'Date of dtime, UTC' CODEC(ZSTD(1)),
    dtime DateTime64(3, 'UTC') COMMENT 'When the disconnection was recorded, UTC' CODEC(Delta, ZSTD(1)),
    agent_id String CODEC(ZSTD(1)),
    unit_id Nullable(UInt64) COMMENT 'NULL for agents that are not units, such as phones' CODEC(ZSTD(1)),
    target LowCardinality(String) COMMENT 'Test server, by host name',
    target_group LowCardinality(String) COMMENT 'Set of test servers the target belongs to; the filter target_set',
    address String COMMENT 'IP address the target resolved to',
    ip_version UInt8 DEFAULT 4 COMMENT '4 or 6',
    duration UInt64 COMMENT 'Length of the disconnection, microseconds' CODEC(T64, ZSTD(1)),
    packets UInt32 COMMENT 'Consecutive packets lost' CODEC(T64, ZSTD(1)),
    received_at DateTime64(6, 'UTC') DEFAULT now64(6, 'UTC') COMMENT 'When the result was received' CODEC(Delta, ZSTD(1)),
    first_received UInt64 MATERIALIZED 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)) - rowNumberInAllBlocks() COMMENT 'Highest for the row received first' CODEC(Delta, ZSTD(1)),
    INDEX dtime_range dtime TYPE minmax GRANULARITY 1
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', first_received)
PARTITION BY toYYYYMM(dtime)
ORDER BY (organisation_id, toDate(dtime), agent_key, dtime, target, ip_version)
COMMENT 'Disconnections: consecutive UDP packets that were lost; one row per disconnection';

CREATE TABLE IF NOT EXISTS test_udpcloss ON CLUSTER panel AS test_udpcloss_shard
ENGINE = Distributed('panel', '${database}', 'test_udpcloss_shard', cityHash64(agent_key));
