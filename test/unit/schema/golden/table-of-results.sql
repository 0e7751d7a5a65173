CREATE TABLE IF NOT EXISTS test_dns_shard ON CLUSTER panel
(
    organisation_id UInt32,
    agent_key UInt64 COMMENT 'agents.id in Postgres' CODEC(DoubleDelta, ZSTD(1)),
    base LowCardinality(String) COMMENT 'Device model',
    ddate Date DEFAULT toDate(dtime) COMMENT 'Date of dtime, UTC' CODEC(ZSTD(1)),
    dtime DateTime64(3, 'UTC') COMMENT 'When the test ended, UTC' CODEC(Delta, ZSTD(1)),
    agent_id String CODEC(ZSTD(1)),
    unit_id Nullable(UInt64) COMMENT 'NULL for agents that are not units, such as phones' CODEC(ZSTD(1)),
    nameserver String COMMENT 'IP address of the resolver',
    lookup_host LowCardinality(String) COMMENT 'Name looked up',
    record_type LowCardinality(String) DEFAULT 'A' COMMENT 'Record type: A or AAAA',
    response_ip String COMMENT 'Address in the response' CODEC(ZSTD(1)),
    rtt UInt32 COMMENT 'Response time, microseconds' CODEC(T64, ZSTD(1)),
    successes UInt32 COMMENT 'Queries with a response' CODEC(T64, ZSTD(1)),
    failures UInt32 COMMENT 'Queries refused or without a response' CODEC(T64, ZSTD(1)),
    ip_version UInt8 DEFAULT 4 COMMENT '4 or 6',
    received_at DateTime64(6, 'UTC') DEFAULT now64(6, 'UTC') COMMENT 'When the result was received' CODEC(Delta, ZSTD(1)),
    corrected_at DateTime64(6, 'UTC') DEFAULT toDateTime64(0, 6, 'UTC') COMMENT 'When a correction was received; 1970 for other results' CODEC(Delta, ZSTD(1)),
    first_received UInt64 MATERIALIZED if(toUnixTimestamp64Micro(corrected_at) = 0, 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)), 18446744073709551615 - 1024 * toUInt64(4102444800000000 - toUnixTimestamp64Micro(corrected_at))) - rowNumberInAllBlocks() COMMENT 'Highest for the row received first' CODEC(Delta, ZSTD(1)),
    INDEX dtime_range dtime TYPE minmax GRANULARITY 1
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', first_received)
PARTITION BY toYYYYMM(dtime)
ORDER BY (organisation_id, toDate(dtime), agent_key, dtime, nameserver, lookup_host, record_type, ip_version)
COMMENT 'Name resolution; one row per name server and name looked up';

CREATE TABLE IF NOT EXISTS test_dns ON CLUSTER panel AS test_dns_shard
ENGINE = Distributed('panel', '${database}', 'test_dns_shard', cityHash64(agent_key));
