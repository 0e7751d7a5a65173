CREATE TABLE IF NOT EXISTS test_httpget_shard ON CLUSTER panel
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
    received_at DateTime64(6, 'UTC') DEFAULT now64(6, 'UTC') COMMENT 'When the result was received' CODEC(Delta, ZSTD(1)),
    first_received UInt64 MATERIALIZED 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)) - rowNumberInAllBlocks() COMMENT 'Highest for the row received first' CODEC(Delta, ZSTD(1)),
    INDEX dtime_range dtime TYPE minmax GRANULARITY 1,
    INDEX sequence_range sequence TYPE minmax GRANULARITY 4
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', first_received)
PARTITION BY toYYYYMM(dtime)
ORDER BY (organisation_id, toDate(dtime), agent_key, dtime, target, sequence, threads, ip_version)
COMMENT 'Download speed over HTTP';

CREATE TABLE IF NOT EXISTS test_httpget ON CLUSTER panel AS test_httpget_shard
ENGINE = Distributed('panel', '${database}', 'test_httpget_shard', cityHash64(agent_key));

CREATE TABLE IF NOT EXISTS test_httppost_shard ON CLUSTER panel
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
    received_at DateTime64(6, 'UTC') DEFAULT now64(6, 'UTC') COMMENT 'When the result was received' CODEC(Delta, ZSTD(1)),
    first_received UInt64 MATERIALIZED 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)) - rowNumberInAllBlocks() COMMENT 'Highest for the row received first' CODEC(Delta, ZSTD(1)),
    INDEX dtime_range dtime TYPE minmax GRANULARITY 1,
    INDEX sequence_range sequence TYPE minmax GRANULARITY 4
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', first_received)
PARTITION BY toYYYYMM(dtime)
ORDER BY (organisation_id, toDate(dtime), agent_key, dtime, target, sequence, threads, ip_version)
COMMENT 'Upload speed over HTTP';

CREATE TABLE IF NOT EXISTS test_httppost ON CLUSTER panel AS test_httppost_shard
ENGINE = Distributed('panel', '${database}', 'test_httppost_shard', cityHash64(agent_key));

CREATE TABLE IF NOT EXISTS test_dns_shard ON CLUSTER panel
(
    organisation_id UInt32,
    agent_key UInt64 COMMENT 'agents.id in Postgres' CODEC(DoubleDelta, ZSTD(1)),
    base LowCardinality(String) COMMENT 'Device model',
    ddate Date DEFAULT toDate(dtime) COMMENT 'Date the test ended, UTC' CODEC(ZSTD(1)),
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
    first_received UInt64 MATERIALIZED 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)) - rowNumberInAllBlocks() COMMENT 'Highest for the row received first' CODEC(Delta, ZSTD(1)),
    INDEX dtime_range dtime TYPE minmax GRANULARITY 1
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', first_received)
PARTITION BY toYYYYMM(dtime)
ORDER BY (organisation_id, toDate(dtime), agent_key, dtime, nameserver, lookup_host, record_type, ip_version)
COMMENT 'Name resolution; one row per name server and name looked up';

CREATE TABLE IF NOT EXISTS test_dns ON CLUSTER panel AS test_dns_shard
ENGINE = Distributed('panel', '${database}', 'test_dns_shard', cityHash64(agent_key));

CREATE TABLE IF NOT EXISTS test_netflix_shard ON CLUSTER panel
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
    bitrate UInt64 COMMENT 'Media bit rate of the stream played, bytes per second' CODEC(T64, ZSTD(1)),
    resolution UInt16 COMMENT 'Lines of the picture: 720, 1080, 2160' CODEC(T64, ZSTD(1)),
    downthrpt UInt64 COMMENT 'Download speed from the video server, bytes per second' CODEC(T64, ZSTD(1)),
    bytes_total UInt64 COMMENT 'Media transferred, bytes' CODEC(T64, ZSTD(1)),
    duration UInt64 COMMENT 'Length of playback tested, microseconds' CODEC(T64, ZSTD(1)),
    connect_time UInt32 COMMENT 'TCP connection to the video server, microseconds' CODEC(T64, ZSTD(1)),
    startup_delay UInt64 COMMENT 'Time from the request to the first picture, microseconds' CODEC(T64, ZSTD(1)),
    buffer_underruns UInt32 COMMENT 'Number of times playback stopped to buffer' CODEC(T64, ZSTD(1)),
    buffer_delay UInt64 COMMENT 'Total time playback was stopped, microseconds' CODEC(T64, ZSTD(1)),
    ttfb UInt32 COMMENT 'Time to first byte, microseconds' CODEC(T64, ZSTD(1)),
    successes UInt32 COMMENT '1 when the test succeeded' CODEC(T64, ZSTD(1)),
    failures UInt32 COMMENT '1 when the test failed' CODEC(T64, ZSTD(1)),
    received_at DateTime64(6, 'UTC') DEFAULT now64(6, 'UTC') COMMENT 'When the result was received' CODEC(Delta, ZSTD(1)),
    first_received UInt64 MATERIALIZED 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)) - rowNumberInAllBlocks() COMMENT 'Highest for the row received first' CODEC(Delta, ZSTD(1)),
    INDEX dtime_range dtime TYPE minmax GRANULARITY 1
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', first_received)
PARTITION BY toYYYYMM(dtime)
ORDER BY (organisation_id, toDate(dtime), agent_key, dtime, target, ip_version)
COMMENT 'Video delivery from Netflix: the highest bit rate the line sustains';

CREATE TABLE IF NOT EXISTS test_netflix ON CLUSTER panel AS test_netflix_shard
ENGINE = Distributed('panel', '${database}', 'test_netflix_shard', cityHash64(agent_key));

CREATE TABLE IF NOT EXISTS test_ping_shard ON CLUSTER panel
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
    line_load LowCardinality(String) DEFAULT 'idle' COMMENT 'What else used the line: idle, download or upload (latency under load)',
    rtt_avg UInt32 COMMENT 'Mean round trip, microseconds' CODEC(T64, ZSTD(1)),
    rtt_min UInt32 COMMENT 'Fastest round trip, microseconds' CODEC(T64, ZSTD(1)),
    rtt_max UInt32 COMMENT 'Slowest round trip, microseconds' CODEC(T64, ZSTD(1)),
    rtt_std UInt32 COMMENT 'Standard deviation of the round trips, microseconds' CODEC(T64, ZSTD(1)),
    successes UInt32 COMMENT 'Packets returned' CODEC(T64, ZSTD(1)),
    failures UInt32 COMMENT 'Packets lost' CODEC(T64, ZSTD(1)),
    received_at DateTime64(6, 'UTC') DEFAULT now64(6, 'UTC') COMMENT 'When the result was received' CODEC(Delta, ZSTD(1)),
    first_received UInt64 MATERIALIZED 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)) - rowNumberInAllBlocks() COMMENT 'Highest for the row received first' CODEC(Delta, ZSTD(1)),
    INDEX dtime_range dtime TYPE minmax GRANULARITY 1
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', first_received)
PARTITION BY toYYYYMM(dtime)
ORDER BY (organisation_id, toDate(dtime), agent_key, dtime, target, line_load, ip_version)
COMMENT 'Round trips by ICMP';

CREATE TABLE IF NOT EXISTS test_ping ON CLUSTER panel AS test_ping_shard
ENGINE = Distributed('panel', '${database}', 'test_ping_shard', cityHash64(agent_key));

CREATE TABLE IF NOT EXISTS test_jitter_shard ON CLUSTER panel
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
    packet_size UInt16 COMMENT 'bytes' CODEC(T64, ZSTD(1)),
    stream_rate UInt32 COMMENT 'Rate of the stream, bits per second: 64000 for one voice call' CODEC(T64, ZSTD(1)),
    duration UInt64 COMMENT 'Length of the test, microseconds' CODEC(T64, ZSTD(1)),
    packets_up_sent UInt32 CODEC(T64, ZSTD(1)),
    packets_down_sent UInt32 CODEC(T64, ZSTD(1)),
    packets_up_recv UInt32 COMMENT 'Upstream packets that reached the server' CODEC(T64, ZSTD(1)),
    packets_down_recv UInt32 COMMENT 'Downstream packets that reached the agent' CODEC(T64, ZSTD(1)),
    jitter_up UInt32 COMMENT 'Upstream, microseconds' CODEC(T64, ZSTD(1)),
    jitter_down UInt32 COMMENT 'Downstream, microseconds' CODEC(T64, ZSTD(1)),
    latency UInt32 COMMENT 'Mean round trip, microseconds' CODEC(T64, ZSTD(1)),
    successes UInt32 COMMENT '1 when the test succeeded' CODEC(T64, ZSTD(1)),
    failures UInt32 COMMENT '1 when the test failed' CODEC(T64, ZSTD(1)),
    received_at DateTime64(6, 'UTC') DEFAULT now64(6, 'UTC') COMMENT 'When the result was received' CODEC(Delta, ZSTD(1)),
    first_received UInt64 MATERIALIZED 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)) - rowNumberInAllBlocks() COMMENT 'Highest for the row received first' CODEC(Delta, ZSTD(1)),
    INDEX dtime_range dtime TYPE minmax GRANULARITY 1
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', first_received)
PARTITION BY toYYYYMM(dtime)
ORDER BY (organisation_id, toDate(dtime), agent_key, dtime, target, packet_size, stream_rate, ip_version)
COMMENT 'Jitter and loss of a paced UDP stream, both ways';

CREATE TABLE IF NOT EXISTS test_jitter ON CLUSTER panel AS test_jitter_shard
ENGINE = Distributed('panel', '${database}', 'test_jitter_shard', cityHash64(agent_key));

CREATE TABLE IF NOT EXISTS test_latency_shard ON CLUSTER panel
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
    line_load LowCardinality(String) DEFAULT 'idle' COMMENT 'What else used the line: idle, download or upload (latency under load)',
    rtt_avg UInt32 COMMENT 'Mean round trip, microseconds' CODEC(T64, ZSTD(1)),
    rtt_min UInt32 COMMENT 'Fastest round trip, microseconds' CODEC(T64, ZSTD(1)),
    rtt_max UInt32 COMMENT 'Slowest round trip, microseconds' CODEC(T64, ZSTD(1)),
    rtt_std UInt32 COMMENT 'Standard deviation of the round trips, microseconds' CODEC(T64, ZSTD(1)),
    successes UInt32 COMMENT 'Packets returned' CODEC(T64, ZSTD(1)),
    failures UInt32 COMMENT 'Packets lost' CODEC(T64, ZSTD(1)),
    received_at DateTime64(6, 'UTC') DEFAULT now64(6, 'UTC') COMMENT 'When the result was received' CODEC(Delta, ZSTD(1)),
    first_received UInt64 MATERIALIZED 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)) - rowNumberInAllBlocks() COMMENT 'Highest for the row received first' CODEC(Delta, ZSTD(1)),
    INDEX dtime_range dtime TYPE minmax GRANULARITY 1
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', first_received)
PARTITION BY toYYYYMM(dtime)
ORDER BY (organisation_id, toDate(dtime), agent_key, dtime, target, line_load, ip_version)
COMMENT 'Round trips and loss by UDP, sampled over an hour';

CREATE TABLE IF NOT EXISTS test_latency ON CLUSTER panel AS test_latency_shard
ENGINE = Distributed('panel', '${database}', 'test_latency_shard', cityHash64(agent_key));

CREATE TABLE IF NOT EXISTS test_webget_shard ON CLUSTER panel
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
    fetch_time UInt64 COMMENT 'Time to load the page and its objects, microseconds' CODEC(T64, ZSTD(1)),
    bytes_total UInt64 COMMENT 'Transferred, bytes' CODEC(T64, ZSTD(1)),
    bytes_sec Int64 COMMENT 'Bytes per second' CODEC(T64, ZSTD(1)),
    objects UInt32 COMMENT 'Images, scripts and style sheets of the page' CODEC(T64, ZSTD(1)),
    threads UInt16 COMMENT 'Concurrent TCP connections' CODEC(T64, ZSTD(1)),
    requests UInt32 COMMENT 'HTTP requests' CODEC(T64, ZSTD(1)),
    connections UInt32 COMMENT 'TCP connections opened' CODEC(T64, ZSTD(1)),
    reused_connections UInt32 COMMENT 'Requests sent over a connection already open' CODEC(T64, ZSTD(1)),
    lookups UInt32 COMMENT 'Names resolved' CODEC(T64, ZSTD(1)),
    request_total_time UInt64 COMMENT 'Time of a request, sum over requests, microseconds' CODEC(T64, ZSTD(1)),
    request_min_time UInt64 COMMENT 'Time of a request, fastest, microseconds' CODEC(T64, ZSTD(1)),
    request_avg_time UInt64 COMMENT 'Time of a request, mean, microseconds' CODEC(T64, ZSTD(1)),
    request_max_time UInt64 COMMENT 'Time of a request, slowest, microseconds' CODEC(T64, ZSTD(1)),
    ttfb_total UInt64 COMMENT 'Time to first byte, sum over requests, microseconds' CODEC(T64, ZSTD(1)),
    ttfb_min UInt64 COMMENT 'Time to first byte, fastest, microseconds' CODEC(T64, ZSTD(1)),
    ttfb_avg UInt64 COMMENT 'Time to first byte, mean, microseconds' CODEC(T64, ZSTD(1)),
    ttfb_max UInt64 COMMENT 'Time to first byte, slowest, microseconds' CODEC(T64, ZSTD(1)),
    lookup_total_time UInt64 COMMENT 'Time to resolve a name, sum over requests, microseconds' CODEC(T64, ZSTD(1)),
    lookup_min_time UInt64 COMMENT 'Time to resolve a name, fastest, microseconds' CODEC(T64, ZSTD(1)),
    lookup_avg_time UInt64 COMMENT 'Time to resolve a name, mean, microseconds' CODEC(T64, ZSTD(1)),
    lookup_max_time UInt64 COMMENT 'Time to resolve a name, slowest, microseconds' CODEC(T64, ZSTD(1)),
    successes UInt32 COMMENT '1 when the test succeeded' CODEC(T64, ZSTD(1)),
    failures UInt32 COMMENT '1 when the test failed' CODEC(T64, ZSTD(1)),
    received_at DateTime64(6, 'UTC') DEFAULT now64(6, 'UTC') COMMENT 'When the result was received' CODEC(Delta, ZSTD(1)),
    first_received UInt64 MATERIALIZED 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)) - rowNumberInAllBlocks() COMMENT 'Highest for the row received first' CODEC(Delta, ZSTD(1)),
    INDEX dtime_range dtime TYPE minmax GRANULARITY 1
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', first_received)
PARTITION BY toYYYYMM(dtime)
ORDER BY (organisation_id, toDate(dtime), agent_key, dtime, target, threads, ip_version)
COMMENT 'Loading of a web page with its objects';

CREATE TABLE IF NOT EXISTS test_webget ON CLUSTER panel AS test_webget_shard
ENGINE = Distributed('panel', '${database}', 'test_webget_shard', cityHash64(agent_key));

CREATE TABLE IF NOT EXISTS test_youtube_shard ON CLUSTER panel
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
    video_id LowCardinality(String) COMMENT 'Clip played',
    bitrate UInt64 COMMENT 'Media bit rate of the stream played, bytes per second' CODEC(T64, ZSTD(1)),
    resolution UInt16 COMMENT 'Lines of the picture: 720, 1080, 2160' CODEC(T64, ZSTD(1)),
    downthrpt UInt64 COMMENT 'Download speed from the video server, bytes per second' CODEC(T64, ZSTD(1)),
    bytes_total UInt64 COMMENT 'Media transferred, bytes' CODEC(T64, ZSTD(1)),
    duration UInt64 COMMENT 'Length of playback tested, microseconds' CODEC(T64, ZSTD(1)),
    connect_time UInt32 COMMENT 'TCP connection to the video server, microseconds' CODEC(T64, ZSTD(1)),
    startup_delay UInt64 COMMENT 'Time from the request to the first picture, microseconds' CODEC(T64, ZSTD(1)),
    buffer_underruns UInt32 COMMENT 'Number of times playback stopped to buffer' CODEC(T64, ZSTD(1)),
    buffer_delay UInt64 COMMENT 'Total time playback was stopped, microseconds' CODEC(T64, ZSTD(1)),
    buffer_size UInt64 COMMENT 'Play-out buffer, bytes' CODEC(T64, ZSTD(1)),
    buffer_filltime UInt64 COMMENT 'Time to fill the buffer at the start, microseconds' CODEC(T64, ZSTD(1)),
    downjitter UInt32 COMMENT 'Jitter of the stream, microseconds' CODEC(T64, ZSTD(1)),
    latency UInt32 COMMENT 'Mean round trip to the video server, microseconds' CODEC(T64, ZSTD(1)),
    jitter UInt32 COMMENT 'Jitter of the round trips, microseconds' CODEC(T64, ZSTD(1)),
    successes UInt32 COMMENT '1 when the test succeeded' CODEC(T64, ZSTD(1)),
    failures UInt32 COMMENT '1 when the test failed' CODEC(T64, ZSTD(1)),
    received_at DateTime64(6, 'UTC') DEFAULT now64(6, 'UTC') COMMENT 'When the result was received' CODEC(Delta, ZSTD(1)),
    first_received UInt64 MATERIALIZED 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)) - rowNumberInAllBlocks() COMMENT 'Highest for the row received first' CODEC(Delta, ZSTD(1)),
    INDEX dtime_range dtime TYPE minmax GRANULARITY 1
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', first_received)
PARTITION BY toYYYYMM(dtime)
ORDER BY (organisation_id, toDate(dtime), agent_key, dtime, target, video_id, ip_version)
COMMENT 'Video delivery from YouTube; also holds the public videostream data';

CREATE TABLE IF NOT EXISTS test_youtube ON CLUSTER panel AS test_youtube_shard
ENGINE = Distributed('panel', '${database}', 'test_youtube_shard', cityHash64(agent_key));

CREATE TABLE IF NOT EXISTS test_network_usage_shard ON CLUSTER panel
(
    organisation_id UInt32,
    agent_key UInt64 COMMENT 'agents.id in Postgres' CODEC(DoubleDelta, ZSTD(1)),
    base LowCardinality(String) COMMENT 'Device model',
    ddate Date DEFAULT toDate(dtime) COMMENT 'Date the test ended, UTC' CODEC(ZSTD(1)),
    dtime DateTime64(3, 'UTC') COMMENT 'When the test ended, UTC' CODEC(Delta, ZSTD(1)),
    agent_id String CODEC(ZSTD(1)),
    unit_id Nullable(UInt64) COMMENT 'NULL for agents that are not units, such as phones' CODEC(ZSTD(1)),
    wan_rx_bytes Int64 COMMENT 'Received on the line, bytes; signed, since counters that wrap are reported below zero' CODEC(T64, ZSTD(1)),
    wan_tx_bytes Int64 COMMENT 'Sent on the line, bytes; signed, since counters that wrap are reported below zero' CODEC(T64, ZSTD(1)),
    sk_rx_bytes Int64 COMMENT 'Received by our own tests, bytes; signed, since counters that wrap are reported below zero' CODEC(T64, ZSTD(1)),
    sk_tx_bytes Int64 COMMENT 'Sent by our own tests, bytes; signed, since counters that wrap are reported below zero' CODEC(T64, ZSTD(1)),
    received_at DateTime64(6, 'UTC') DEFAULT now64(6, 'UTC') COMMENT 'When the result was received' CODEC(Delta, ZSTD(1)),
    first_received UInt64 MATERIALIZED 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)) - rowNumberInAllBlocks() COMMENT 'Highest for the row received first' CODEC(Delta, ZSTD(1)),
    INDEX dtime_range dtime TYPE minmax GRANULARITY 1
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', first_received)
PARTITION BY toYYYYMM(dtime)
ORDER BY (organisation_id, toDate(dtime), agent_key, dtime)
COMMENT 'Traffic through the router in the hour before dtime; what the household used is wan minus sk';

CREATE TABLE IF NOT EXISTS test_network_usage ON CLUSTER panel AS test_network_usage_shard
ENGINE = Distributed('panel', '${database}', 'test_network_usage_shard', cityHash64(agent_key));

CREATE TABLE IF NOT EXISTS test_traceroute_shard ON CLUSTER panel
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
    received_at DateTime64(6, 'UTC') DEFAULT now64(6, 'UTC') COMMENT 'When the result was received' CODEC(Delta, ZSTD(1)),
    first_received UInt64 MATERIALIZED 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)) - rowNumberInAllBlocks() COMMENT 'Highest for the row received first' CODEC(Delta, ZSTD(1)),
    INDEX dtime_range dtime TYPE minmax GRANULARITY 1
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', first_received)
PARTITION BY toYYYYMM(dtime)
ORDER BY (organisation_id, toDate(dtime), agent_key, dtime, target, protocol, ip_version, hop, hop_address)
COMMENT 'Route to a server; one row per hop and address seen there';

CREATE TABLE IF NOT EXISTS test_traceroute ON CLUSTER panel AS test_traceroute_shard
ENGINE = Distributed('panel', '${database}', 'test_traceroute_shard', cityHash64(agent_key));

CREATE TABLE IF NOT EXISTS test_mobile_download_shard ON CLUSTER panel
(
    organisation_id UInt32,
    agent_key UInt64 COMMENT 'agents.id in Postgres' CODEC(DoubleDelta, ZSTD(1)),
    base LowCardinality(String) COMMENT 'Device model',
    ddate Date DEFAULT toDate(dtime) COMMENT 'Date the test ended, UTC' CODEC(ZSTD(1)),
    dtime DateTime64(3, 'UTC') COMMENT 'When the test ended, UTC' CODEC(Delta, ZSTD(1)),
    agent_id String CODEC(ZSTD(1)),
    unit_id Nullable(UInt64) COMMENT 'NULL for agents that are not units, such as phones' CODEC(ZSTD(1)),
    manufacturer LowCardinality(String) COMMENT 'Of the phone',
    model LowCardinality(String) COMMENT 'Of the phone',
    operating_system LowCardinality(String) COMMENT 'Android or iOS',
    operating_system_version LowCardinality(String),
    app_version LowCardinality(String),
    geo_country LowCardinality(String) COMMENT 'Country the phone was in, ISO 3166-1 alpha-2',
    connection_type LowCardinality(String) COMMENT 'Wi-Fi or Cellular',
    cellular_technology LowCardinality(String) COMMENT '3G, 4G or 5G; empty on Wi-Fi',
    carrier_name LowCardinality(String),
    is_roaming Nullable(Bool) COMMENT 'NULL on Wi-Fi',
    cell_id Nullable(UInt64) COMMENT 'NULL on Wi-Fi' CODEC(ZSTD(1)),
    signal_strength Nullable(Int16) COMMENT 'RSRP or RSSI, dBm; NULL where the phone does not report it' CODEC(ZSTD(1)),
    target LowCardinality(String) COMMENT 'Test server, by host name',
    target_group LowCardinality(String) COMMENT 'Set of test servers the target belongs to; the filter target_set',
    address String COMMENT 'IP address the target resolved to',
    ip_version UInt8 DEFAULT 4 COMMENT '4 or 6',
    fetch_time UInt64 COMMENT 'Time from the first byte to the last, without warm-up, microseconds' CODEC(T64, ZSTD(1)),
    bytes_total UInt64 COMMENT 'Received in fetch_time, bytes' CODEC(T64, ZSTD(1)),
    bytes_sec Int64 COMMENT 'Bytes per second; signed, since faulty devices report values below zero' CODEC(T64, ZSTD(1)),
    warmup_time UInt64 COMMENT 'Time spent before measuring, microseconds' CODEC(T64, ZSTD(1)),
    warmup_bytes UInt64 COMMENT 'Received during warm-up, bytes' CODEC(T64, ZSTD(1)),
    threads UInt16 COMMENT 'Concurrent TCP connections' CODEC(T64, ZSTD(1)),
    successes UInt32 COMMENT '1 when the test succeeded' CODEC(T64, ZSTD(1)),
    failures UInt32 COMMENT '1 when the test failed' CODEC(T64, ZSTD(1)),
    received_at DateTime64(6, 'UTC') DEFAULT now64(6, 'UTC') COMMENT 'When the result was received' CODEC(Delta, ZSTD(1)),
    first_received UInt64 MATERIALIZED 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)) - rowNumberInAllBlocks() COMMENT 'Highest for the row received first' CODEC(Delta, ZSTD(1)),
    INDEX dtime_range dtime TYPE minmax GRANULARITY 1
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', first_received)
PARTITION BY toYYYYMM(dtime)
ORDER BY (organisation_id, toDate(dtime), agent_key, dtime, target, threads, ip_version)
COMMENT 'Download speed of a phone';

CREATE TABLE IF NOT EXISTS test_mobile_download ON CLUSTER panel AS test_mobile_download_shard
ENGINE = Distributed('panel', '${database}', 'test_mobile_download_shard', cityHash64(agent_key));

CREATE TABLE IF NOT EXISTS test_mobile_latency_shard ON CLUSTER panel
(
    organisation_id UInt32,
    agent_key UInt64 COMMENT 'agents.id in Postgres' CODEC(DoubleDelta, ZSTD(1)),
    base LowCardinality(String) COMMENT 'Device model',
    ddate Date DEFAULT toDate(dtime) COMMENT 'Date the test ended, UTC' CODEC(ZSTD(1)),
    dtime DateTime64(3, 'UTC') COMMENT 'When the test ended, UTC' CODEC(Delta, ZSTD(1)),
    agent_id String CODEC(ZSTD(1)),
    unit_id Nullable(UInt64) COMMENT 'NULL for agents that are not units, such as phones' CODEC(ZSTD(1)),
    manufacturer LowCardinality(String) COMMENT 'Of the phone',
    model LowCardinality(String) COMMENT 'Of the phone',
    operating_system LowCardinality(String) COMMENT 'Android or iOS',
    operating_system_version LowCardinality(String),
    app_version LowCardinality(String),
    geo_country LowCardinality(String) COMMENT 'Country the phone was in, ISO 3166-1 alpha-2',
    connection_type LowCardinality(String) COMMENT 'Wi-Fi or Cellular',
    cellular_technology LowCardinality(String) COMMENT '3G, 4G or 5G; empty on Wi-Fi',
    carrier_name LowCardinality(String),
    is_roaming Nullable(Bool) COMMENT 'NULL on Wi-Fi',
    cell_id Nullable(UInt64) COMMENT 'NULL on Wi-Fi' CODEC(ZSTD(1)),
    signal_strength Nullable(Int16) COMMENT 'RSRP or RSSI, dBm; NULL where the phone does not report it' CODEC(ZSTD(1)),
    target LowCardinality(String) COMMENT 'Test server, by host name',
    target_group LowCardinality(String) COMMENT 'Set of test servers the target belongs to; the filter target_set',
    address String COMMENT 'IP address the target resolved to',
    ip_version UInt8 DEFAULT 4 COMMENT '4 or 6',
    rtt_avg UInt32 COMMENT 'Mean round trip, microseconds' CODEC(T64, ZSTD(1)),
    rtt_min UInt32 COMMENT 'Fastest round trip, microseconds' CODEC(T64, ZSTD(1)),
    rtt_max UInt32 COMMENT 'Slowest round trip, microseconds' CODEC(T64, ZSTD(1)),
    rtt_std UInt32 COMMENT 'Standard deviation of the round trips, microseconds' CODEC(T64, ZSTD(1)),
    jitter UInt32 COMMENT 'Mean difference between one round trip and the next, microseconds' CODEC(T64, ZSTD(1)),
    successes UInt32 COMMENT 'Packets returned' CODEC(T64, ZSTD(1)),
    failures UInt32 COMMENT 'Packets lost' CODEC(T64, ZSTD(1)),
    received_at DateTime64(6, 'UTC') DEFAULT now64(6, 'UTC') COMMENT 'When the result was received' CODEC(Delta, ZSTD(1)),
    first_received UInt64 MATERIALIZED 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)) - rowNumberInAllBlocks() COMMENT 'Highest for the row received first' CODEC(Delta, ZSTD(1)),
    INDEX dtime_range dtime TYPE minmax GRANULARITY 1
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', first_received)
PARTITION BY toYYYYMM(dtime)
ORDER BY (organisation_id, toDate(dtime), agent_key, dtime, target, ip_version)
COMMENT 'Round trips, jitter and loss by UDP from a phone';

CREATE TABLE IF NOT EXISTS test_mobile_latency ON CLUSTER panel AS test_mobile_latency_shard
ENGINE = Distributed('panel', '${database}', 'test_mobile_latency_shard', cityHash64(agent_key));

CREATE TABLE IF NOT EXISTS test_mobile_upload_shard ON CLUSTER panel
(
    organisation_id UInt32,
    agent_key UInt64 COMMENT 'agents.id in Postgres' CODEC(DoubleDelta, ZSTD(1)),
    base LowCardinality(String) COMMENT 'Device model',
    ddate Date DEFAULT toDate(dtime) COMMENT 'Date the test ended, UTC' CODEC(ZSTD(1)),
    dtime DateTime64(3, 'UTC') COMMENT 'When the test ended, UTC' CODEC(Delta, ZSTD(1)),
    agent_id String CODEC(ZSTD(1)),
    unit_id Nullable(UInt64) COMMENT 'NULL for agents that are not units, such as phones' CODEC(ZSTD(1)),
    manufacturer LowCardinality(String) COMMENT 'Of the phone',
    model LowCardinality(String) COMMENT 'Of the phone',
    operating_system LowCardinality(String) COMMENT 'Android or iOS',
    operating_system_version LowCardinality(String),
    app_version LowCardinality(String),
    geo_country LowCardinality(String) COMMENT 'Country the phone was in, ISO 3166-1 alpha-2',
    connection_type LowCardinality(String) COMMENT 'Wi-Fi or Cellular',
    cellular_technology LowCardinality(String) COMMENT '3G, 4G or 5G; empty on Wi-Fi',
    carrier_name LowCardinality(String),
    is_roaming Nullable(Bool) COMMENT 'NULL on Wi-Fi',
    cell_id Nullable(UInt64) COMMENT 'NULL on Wi-Fi' CODEC(ZSTD(1)),
    signal_strength Nullable(Int16) COMMENT 'RSRP or RSSI, dBm; NULL where the phone does not report it' CODEC(ZSTD(1)),
    target LowCardinality(String) COMMENT 'Test server, by host name',
    target_group LowCardinality(String) COMMENT 'Set of test servers the target belongs to; the filter target_set',
    address String COMMENT 'IP address the target resolved to',
    ip_version UInt8 DEFAULT 4 COMMENT '4 or 6',
    fetch_time UInt64 COMMENT 'Time from the first byte to the last, without warm-up, microseconds' CODEC(T64, ZSTD(1)),
    bytes_total UInt64 COMMENT 'Sent in fetch_time, bytes' CODEC(T64, ZSTD(1)),
    bytes_sec Int64 COMMENT 'Bytes per second; signed, since faulty devices report values below zero' CODEC(T64, ZSTD(1)),
    warmup_time UInt64 COMMENT 'Time spent before measuring, microseconds' CODEC(T64, ZSTD(1)),
    warmup_bytes UInt64 COMMENT 'Sent during warm-up, bytes' CODEC(T64, ZSTD(1)),
    threads UInt16 COMMENT 'Concurrent TCP connections' CODEC(T64, ZSTD(1)),
    successes UInt32 COMMENT '1 when the test succeeded' CODEC(T64, ZSTD(1)),
    failures UInt32 COMMENT '1 when the test failed' CODEC(T64, ZSTD(1)),
    received_at DateTime64(6, 'UTC') DEFAULT now64(6, 'UTC') COMMENT 'When the result was received' CODEC(Delta, ZSTD(1)),
    first_received UInt64 MATERIALIZED 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)) - rowNumberInAllBlocks() COMMENT 'Highest for the row received first' CODEC(Delta, ZSTD(1)),
    INDEX dtime_range dtime TYPE minmax GRANULARITY 1
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', first_received)
PARTITION BY toYYYYMM(dtime)
ORDER BY (organisation_id, toDate(dtime), agent_key, dtime, target, threads, ip_version)
COMMENT 'Upload speed of a phone';

CREATE TABLE IF NOT EXISTS test_mobile_upload ON CLUSTER panel AS test_mobile_upload_shard
ENGINE = Distributed('panel', '${database}', 'test_mobile_upload_shard', cityHash64(agent_key));

CREATE TABLE IF NOT EXISTS test_mobile_www_shard ON CLUSTER panel
(
    organisation_id UInt32,
    agent_key UInt64 COMMENT 'agents.id in Postgres' CODEC(DoubleDelta, ZSTD(1)),
    base LowCardinality(String) COMMENT 'Device model',
    ddate Date DEFAULT toDate(dtime) COMMENT 'Date the test ended, UTC' CODEC(ZSTD(1)),
    dtime DateTime64(3, 'UTC') COMMENT 'When the test ended, UTC' CODEC(Delta, ZSTD(1)),
    agent_id String CODEC(ZSTD(1)),
    unit_id Nullable(UInt64) COMMENT 'NULL for agents that are not units, such as phones' CODEC(ZSTD(1)),
    manufacturer LowCardinality(String) COMMENT 'Of the phone',
    model LowCardinality(String) COMMENT 'Of the phone',
    operating_system LowCardinality(String) COMMENT 'Android or iOS',
    operating_system_version LowCardinality(String),
    app_version LowCardinality(String),
    geo_country LowCardinality(String) COMMENT 'Country the phone was in, ISO 3166-1 alpha-2',
    connection_type LowCardinality(String) COMMENT 'Wi-Fi or Cellular',
    cellular_technology LowCardinality(String) COMMENT '3G, 4G or 5G; empty on Wi-Fi',
    carrier_name LowCardinality(String),
    is_roaming Nullable(Bool) COMMENT 'NULL on Wi-Fi',
    cell_id Nullable(UInt64) COMMENT 'NULL on Wi-Fi' CODEC(ZSTD(1)),
    signal_strength Nullable(Int16) COMMENT 'RSRP or RSSI, dBm; NULL where the phone does not report it' CODEC(ZSTD(1)),
    target LowCardinality(String) COMMENT 'Test server, by host name',
    target_group LowCardinality(String) COMMENT 'Set of test servers the target belongs to; the filter target_set',
    address String COMMENT 'IP address the target resolved to',
    ip_version UInt8 DEFAULT 4 COMMENT '4 or 6',
    fetch_time UInt64 COMMENT 'Time to load the page and its objects, microseconds' CODEC(T64, ZSTD(1)),
    bytes_total UInt64 COMMENT 'Transferred, bytes' CODEC(T64, ZSTD(1)),
    bytes_sec Int64 COMMENT 'Bytes per second' CODEC(T64, ZSTD(1)),
    objects UInt32 COMMENT 'Images, scripts and style sheets of the page' CODEC(T64, ZSTD(1)),
    requests UInt32 COMMENT 'HTTP requests' CODEC(T64, ZSTD(1)),
    lookup_time UInt32 COMMENT 'Time to resolve the name of the page, microseconds' CODEC(T64, ZSTD(1)),
    connect_time UInt32 COMMENT 'TCP connection, microseconds' CODEC(T64, ZSTD(1)),
    ttfb UInt32 COMMENT 'Time to first byte, microseconds' CODEC(T64, ZSTD(1)),
    successes UInt32 COMMENT '1 when the test succeeded' CODEC(T64, ZSTD(1)),
    failures UInt32 COMMENT '1 when the test failed' CODEC(T64, ZSTD(1)),
    received_at DateTime64(6, 'UTC') DEFAULT now64(6, 'UTC') COMMENT 'When the result was received' CODEC(Delta, ZSTD(1)),
    first_received UInt64 MATERIALIZED 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)) - rowNumberInAllBlocks() COMMENT 'Highest for the row received first' CODEC(Delta, ZSTD(1)),
    INDEX dtime_range dtime TYPE minmax GRANULARITY 1
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', first_received)
PARTITION BY toYYYYMM(dtime)
ORDER BY (organisation_id, toDate(dtime), agent_key, dtime, target, ip_version)
COMMENT 'Loading of a web page on a phone';

CREATE TABLE IF NOT EXISTS test_mobile_www ON CLUSTER panel AS test_mobile_www_shard
ENGINE = Distributed('panel', '${database}', 'test_mobile_www_shard', cityHash64(agent_key));

CREATE TABLE IF NOT EXISTS test_mobile_youtube_shard ON CLUSTER panel
(
    organisation_id UInt32,
    agent_key UInt64 COMMENT 'agents.id in Postgres' CODEC(DoubleDelta, ZSTD(1)),
    base LowCardinality(String) COMMENT 'Device model',
    ddate Date DEFAULT toDate(dtime) COMMENT 'Date the test ended, UTC' CODEC(ZSTD(1)),
    dtime DateTime64(3, 'UTC') COMMENT 'When the test ended, UTC' CODEC(Delta, ZSTD(1)),
    agent_id String CODEC(ZSTD(1)),
    unit_id Nullable(UInt64) COMMENT 'NULL for agents that are not units, such as phones' CODEC(ZSTD(1)),
    manufacturer LowCardinality(String) COMMENT 'Of the phone',
    model LowCardinality(String) COMMENT 'Of the phone',
    operating_system LowCardinality(String) COMMENT 'Android or iOS',
    operating_system_version LowCardinality(String),
    app_version LowCardinality(String),
    geo_country LowCardinality(String) COMMENT 'Country the phone was in, ISO 3166-1 alpha-2',
    connection_type LowCardinality(String) COMMENT 'Wi-Fi or Cellular',
    cellular_technology LowCardinality(String) COMMENT '3G, 4G or 5G; empty on Wi-Fi',
    carrier_name LowCardinality(String),
    is_roaming Nullable(Bool) COMMENT 'NULL on Wi-Fi',
    cell_id Nullable(UInt64) COMMENT 'NULL on Wi-Fi' CODEC(ZSTD(1)),
    signal_strength Nullable(Int16) COMMENT 'RSRP or RSSI, dBm; NULL where the phone does not report it' CODEC(ZSTD(1)),
    target LowCardinality(String) COMMENT 'Test server, by host name',
    target_group LowCardinality(String) COMMENT 'Set of test servers the target belongs to; the filter target_set',
    address String COMMENT 'IP address the target resolved to',
    ip_version UInt8 DEFAULT 4 COMMENT '4 or 6',
    video_id LowCardinality(String) COMMENT 'Clip played',
    bitrate UInt64 COMMENT 'Media bit rate of the stream played, bytes per second' CODEC(T64, ZSTD(1)),
    resolution UInt16 COMMENT 'Lines of the picture: 720, 1080, 2160' CODEC(T64, ZSTD(1)),
    downthrpt UInt64 COMMENT 'Download speed from the video server, bytes per second' CODEC(T64, ZSTD(1)),
    bytes_total UInt64 COMMENT 'Media transferred, bytes' CODEC(T64, ZSTD(1)),
    duration UInt64 COMMENT 'Length of playback tested, microseconds' CODEC(T64, ZSTD(1)),
    connect_time UInt32 COMMENT 'TCP connection to the video server, microseconds' CODEC(T64, ZSTD(1)),
    startup_delay UInt64 COMMENT 'Time from the request to the first picture, microseconds' CODEC(T64, ZSTD(1)),
    buffer_underruns UInt32 COMMENT 'Number of times playback stopped to buffer' CODEC(T64, ZSTD(1)),
    buffer_delay UInt64 COMMENT 'Total time playback was stopped, microseconds' CODEC(T64, ZSTD(1)),
    successes UInt32 COMMENT '1 when the test succeeded' CODEC(T64, ZSTD(1)),
    failures UInt32 COMMENT '1 when the test failed' CODEC(T64, ZSTD(1)),
    received_at DateTime64(6, 'UTC') DEFAULT now64(6, 'UTC') COMMENT 'When the result was received' CODEC(Delta, ZSTD(1)),
    first_received UInt64 MATERIALIZED 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)) - rowNumberInAllBlocks() COMMENT 'Highest for the row received first' CODEC(Delta, ZSTD(1)),
    INDEX dtime_range dtime TYPE minmax GRANULARITY 1
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', first_received)
PARTITION BY toYYYYMM(dtime)
ORDER BY (organisation_id, toDate(dtime), agent_key, dtime, target, video_id, ip_version)
COMMENT 'Video delivery from YouTube to a phone';

CREATE TABLE IF NOT EXISTS test_mobile_youtube ON CLUSTER panel AS test_mobile_youtube_shard
ENGINE = Distributed('panel', '${database}', 'test_mobile_youtube_shard', cityHash64(agent_key));
