-- The row of each test that counts as its result, for the tests that have several rows: the row with the highest
-- sequence, or the last hop of a route. Among duplicates of that row the first one received wins. Filled at
-- insert by the materialized views last_rows_<test>_feed. Read with FINAL.
--
-- The columns are those of test_<test>. The sorting key is the same without the columns that tell the rows of one
-- test apart. ReplacingMergeTree keeps the row with the highest priority, a number made of those columns, most
-- significant first, and first_received in the lowest 64 bits.

CREATE TABLE IF NOT EXISTS last_rows_httpget
(
    organisation_id UInt32,
    agent_key UInt64 COMMENT 'agents.id in Postgres' CODEC(DoubleDelta, ZSTD(1)),
    base LowCardinality(String) COMMENT 'Device model',
    ddate Date DEFAULT toDate(dtime) COMMENT 'Date the test ended, UTC' CODEC(ZSTD(1)),
    dtime DateTime64(3, 'UTC') COMMENT 'When the test ended, UTC' CODEC(Delta, ZSTD(1)),
    agent_id String CODEC(ZSTD(1)),
    unit_id Nullable(UInt64) COMMENT 'NULL for agents that are not units, such as phones' CODEC(ZSTD(1)),
    target LowCardinality(String) COMMENT 'Test server, by host name',
    address String COMMENT 'IP address the target resolved to',
    fetch_time UInt64 COMMENT 'Time from the first byte to the last, without warm-up, microseconds' CODEC(T64, ZSTD(1)),
    bytes_total UInt64 COMMENT 'Transferred in fetch_time, cumulative over sequence, bytes' CODEC(T64, ZSTD(1)),
    bytes_sec Int64 COMMENT 'Bytes per second over the whole test; signed, since faulty devices report values below zero' CODEC(T64, ZSTD(1)),
    bytes_sec_interval Int64 COMMENT 'Bytes per second in the interval of this sequence' CODEC(T64, ZSTD(1)),
    warmup_time UInt64 COMMENT 'Time spent before measuring, while TCP opens its window, microseconds' CODEC(T64, ZSTD(1)),
    warmup_bytes UInt64 COMMENT 'Transferred during warm-up, bytes' CODEC(T64, ZSTD(1)),
    sequence UInt16 COMMENT '0 for the only row of a test; before 2013 a test has one row per 5 seconds: 0, 1, 2 ...' CODEC(T64, ZSTD(1)),
    threads UInt16 COMMENT 'Concurrent TCP connections' CODEC(T64, ZSTD(1)),
    tcp_retransmissions Nullable(UInt32) COMMENT 'Retransmitted segments; NULL where the device does not count them' CODEC(ZSTD(1)),
    successes UInt32 COMMENT '1 when the test succeeded' CODEC(T64, ZSTD(1)),
    failures UInt32 COMMENT '1 when the test failed' CODEC(T64, ZSTD(1)),
    ip_version UInt8 DEFAULT 4 COMMENT '4 or 6',
    target_group LowCardinality(String) COMMENT 'Set of test servers the target belongs to; the filter target_set',
    received_at DateTime64(6, 'UTC') COMMENT 'When the result was received' CODEC(Delta, ZSTD(1)),
    first_received UInt64 COMMENT 'Highest for the row received first' CODEC(Delta, ZSTD(1)),
    priority UInt128 MATERIALIZED bitShiftLeft(toUInt128(sequence), 64) + first_received COMMENT 'Highest for the row that counts' CODEC(ZSTD(1)),
    INDEX dtime_range dtime TYPE minmax GRANULARITY 1
)
ENGINE = ReplacingMergeTree(priority)
PARTITION BY toYYYYMM(dtime)
ORDER BY (organisation_id, toDate(dtime), agent_key, dtime, target, threads, ip_version)
COMMENT 'The row of each test in test_httpget that counts as its result';

CREATE TABLE IF NOT EXISTS last_rows_httppost
(
    organisation_id UInt32,
    agent_key UInt64 COMMENT 'agents.id in Postgres' CODEC(DoubleDelta, ZSTD(1)),
    base LowCardinality(String) COMMENT 'Device model',
    ddate Date DEFAULT toDate(dtime) COMMENT 'Date the test ended, UTC' CODEC(ZSTD(1)),
    dtime DateTime64(3, 'UTC') COMMENT 'When the test ended, UTC' CODEC(Delta, ZSTD(1)),
    agent_id String CODEC(ZSTD(1)),
    unit_id Nullable(UInt64) COMMENT 'NULL for agents that are not units, such as phones' CODEC(ZSTD(1)),
    target LowCardinality(String) COMMENT 'Test server, by host name',
    address String COMMENT 'IP address the target resolved to',
    fetch_time UInt64 COMMENT 'Time from the first byte to the last, without warm-up, microseconds' CODEC(T64, ZSTD(1)),
    bytes_total UInt64 COMMENT 'Transferred in fetch_time, cumulative over sequence, bytes' CODEC(T64, ZSTD(1)),
    bytes_sec Int64 COMMENT 'Bytes per second over the whole test; signed, since faulty devices report values below zero' CODEC(T64, ZSTD(1)),
    bytes_sec_interval Int64 COMMENT 'Bytes per second in the interval of this sequence' CODEC(T64, ZSTD(1)),
    warmup_time UInt64 COMMENT 'Time spent before measuring, while TCP opens its window, microseconds' CODEC(T64, ZSTD(1)),
    warmup_bytes UInt64 COMMENT 'Transferred during warm-up, bytes' CODEC(T64, ZSTD(1)),
    sequence UInt16 COMMENT '0 for the only row of a test; before 2013 a test has one row per 5 seconds: 0, 1, 2 ...' CODEC(T64, ZSTD(1)),
    threads UInt16 COMMENT 'Concurrent TCP connections' CODEC(T64, ZSTD(1)),
    tcp_retransmissions Nullable(UInt32) COMMENT 'Retransmitted segments; NULL where the device does not count them' CODEC(ZSTD(1)),
    successes UInt32 COMMENT '1 when the test succeeded' CODEC(T64, ZSTD(1)),
    failures UInt32 COMMENT '1 when the test failed' CODEC(T64, ZSTD(1)),
    ip_version UInt8 DEFAULT 4 COMMENT '4 or 6',
    target_group LowCardinality(String) COMMENT 'Set of test servers the target belongs to; the filter target_set',
    received_at DateTime64(6, 'UTC') COMMENT 'When the result was received' CODEC(Delta, ZSTD(1)),
    first_received UInt64 COMMENT 'Highest for the row received first' CODEC(Delta, ZSTD(1)),
    priority UInt128 MATERIALIZED bitShiftLeft(toUInt128(sequence), 64) + first_received COMMENT 'Highest for the row that counts' CODEC(ZSTD(1)),
    INDEX dtime_range dtime TYPE minmax GRANULARITY 1
)
ENGINE = ReplacingMergeTree(priority)
PARTITION BY toYYYYMM(dtime)
ORDER BY (organisation_id, toDate(dtime), agent_key, dtime, target, threads, ip_version)
COMMENT 'The row of each test in test_httppost that counts as its result';

-- hop_address is compared as text, as in max((hop, hop_address)), by its first 23 bytes: every IPv4 address, and at
-- least the first four groups of an IPv6 address.
CREATE TABLE IF NOT EXISTS last_rows_traceroute
(
    organisation_id UInt32,
    agent_key UInt64 COMMENT 'agents.id in Postgres' CODEC(DoubleDelta, ZSTD(1)),
    base LowCardinality(String) COMMENT 'Device model',
    ddate Date DEFAULT toDate(dtime) COMMENT 'Date the test ended, UTC' CODEC(ZSTD(1)),
    dtime DateTime64(3, 'UTC') COMMENT 'When the test ended, UTC' CODEC(Delta, ZSTD(1)),
    agent_id String CODEC(ZSTD(1)),
    unit_id Nullable(UInt64) COMMENT 'NULL for agents that are not units, such as phones' CODEC(ZSTD(1)),
    target LowCardinality(String) COMMENT 'Test server, by host name',
    target_group LowCardinality(String) COMMENT 'Set of test servers the target belongs to; the filter target_set',
    address String COMMENT 'IP address the target resolved to',
    ip_version UInt8 DEFAULT 4 COMMENT '4 or 6',
    protocol LowCardinality(String) COMMENT 'ICMP, UDP or TCP',
    hop UInt8 COMMENT '1 is the first router' CODEC(T64, ZSTD(1)),
    hop_address String COMMENT 'IP address of the router that responded, empty when none did' CODEC(ZSTD(1)),
    hop_name String COMMENT 'Host name of the router' CODEC(ZSTD(1)),
    sent UInt32 COMMENT 'Probes sent' CODEC(T64, ZSTD(1)),
    received UInt32 COMMENT 'Probes with a response' CODEC(T64, ZSTD(1)),
    rtt_avg UInt32 COMMENT 'Mean round trip to the hop, microseconds' CODEC(T64, ZSTD(1)),
    successes UInt32 COMMENT '1 when the route reached the target' CODEC(T64, ZSTD(1)),
    failures UInt32 COMMENT '1 when the route did not reach the target' CODEC(T64, ZSTD(1)),
    received_at DateTime64(6, 'UTC') COMMENT 'When the result was received' CODEC(Delta, ZSTD(1)),
    first_received UInt64 COMMENT 'Highest for the row received first' CODEC(Delta, ZSTD(1)),
    priority UInt256 MATERIALIZED bitShiftLeft(toUInt256(hop), 248) + bitShiftLeft(reinterpretAsUInt256(reverse(toFixedString(substring(hop_address, 1, 23), 23))), 64) + first_received COMMENT 'Highest for the row that counts' CODEC(ZSTD(1)),
    INDEX dtime_range dtime TYPE minmax GRANULARITY 1
)
ENGINE = ReplacingMergeTree(priority)
PARTITION BY toYYYYMM(dtime)
ORDER BY (organisation_id, toDate(dtime), agent_key, dtime, target, protocol, ip_version)
COMMENT 'The row of each test in test_traceroute that counts as its result';
