CREATE TABLE IF NOT EXISTS test_mobile_download_shard ON CLUSTER panel
(
    organisation_id UInt32,
    agent_key UInt64 COMMENT 'agents.id in Postgres' CODEC(DoubleDelta, ZSTD(1)),
    base LowCardinality(String) COMMENT 'Device model',
    ddate Date DEFAULT toDate(dtime) COMMENT 'Date the test ended, UTC' CODEC(ZSTD(1)),
    dtime DateTime64(3, 'UTC') COMMENT 'When the test ended, UTC' CODEC(Delta, ZSTD(1)),
    agent_id String CODEC(ZSTD(1)),
    unit_id Nullable(UInt64) COMMENT 'NULL for agents that are no units, such as phones' CODEC(ZSTD(1)),
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
    signal_strength Nullable(Int16) COMMENT 'RSRP or RSSI, dBm; NULL where the phone does not say' CODEC(ZSTD(1)),
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
    received_at DateTime64(6, 'UTC') DEFAULT now64(6, 'UTC') COMMENT 'When the result reached us' CODEC(Delta, ZSTD(1)),
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
    unit_id Nullable(UInt64) COMMENT 'NULL for agents that are no units, such as phones' CODEC(ZSTD(1)),
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
    signal_strength Nullable(Int16) COMMENT 'RSRP or RSSI, dBm; NULL where the phone does not say' CODEC(ZSTD(1)),
    target LowCardinality(String) COMMENT 'Test server, by host name',
    target_group LowCardinality(String) COMMENT 'Set of test servers the target belongs to; the filter target_set',
    address String COMMENT 'IP address the target resolved to',
    ip_version UInt8 DEFAULT 4 COMMENT '4 or 6',
    rtt_avg UInt32 COMMENT 'Mean round trip, microseconds' CODEC(T64, ZSTD(1)),
    rtt_min UInt32 COMMENT 'Fastest round trip, microseconds' CODEC(T64, ZSTD(1)),
    rtt_max UInt32 COMMENT 'Slowest round trip, microseconds' CODEC(T64, ZSTD(1)),
    rtt_std UInt32 COMMENT 'Standard deviation of the round trips, microseconds' CODEC(T64, ZSTD(1)),
    jitter UInt32 COMMENT 'Mean difference between one round trip and the next, microseconds' CODEC(T64, ZSTD(1)),
    successes UInt32 COMMENT 'Packets that came back' CODEC(T64, ZSTD(1)),
    failures UInt32 COMMENT 'Packets lost' CODEC(T64, ZSTD(1)),
    received_at DateTime64(6, 'UTC') DEFAULT now64(6, 'UTC') COMMENT 'When the result reached us' CODEC(Delta, ZSTD(1)),
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
    unit_id Nullable(UInt64) COMMENT 'NULL for agents that are no units, such as phones' CODEC(ZSTD(1)),
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
    signal_strength Nullable(Int16) COMMENT 'RSRP or RSSI, dBm; NULL where the phone does not say' CODEC(ZSTD(1)),
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
    received_at DateTime64(6, 'UTC') DEFAULT now64(6, 'UTC') COMMENT 'When the result reached us' CODEC(Delta, ZSTD(1)),
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
    unit_id Nullable(UInt64) COMMENT 'NULL for agents that are no units, such as phones' CODEC(ZSTD(1)),
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
    signal_strength Nullable(Int16) COMMENT 'RSRP or RSSI, dBm; NULL where the phone does not say' CODEC(ZSTD(1)),
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
    received_at DateTime64(6, 'UTC') DEFAULT now64(6, 'UTC') COMMENT 'When the result reached us' CODEC(Delta, ZSTD(1)),
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
    unit_id Nullable(UInt64) COMMENT 'NULL for agents that are no units, such as phones' CODEC(ZSTD(1)),
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
    signal_strength Nullable(Int16) COMMENT 'RSRP or RSSI, dBm; NULL where the phone does not say' CODEC(ZSTD(1)),
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
    buffer_underruns UInt32 COMMENT 'Times playback stopped to buffer' CODEC(T64, ZSTD(1)),
    buffer_delay UInt64 COMMENT 'Time playback stood still in all, microseconds' CODEC(T64, ZSTD(1)),
    successes UInt32 COMMENT '1 when the test succeeded' CODEC(T64, ZSTD(1)),
    failures UInt32 COMMENT '1 when the test failed' CODEC(T64, ZSTD(1)),
    received_at DateTime64(6, 'UTC') DEFAULT now64(6, 'UTC') COMMENT 'When the result reached us' CODEC(Delta, ZSTD(1)),
    first_received UInt64 MATERIALIZED 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)) - rowNumberInAllBlocks() COMMENT 'Highest for the row received first' CODEC(Delta, ZSTD(1)),
    INDEX dtime_range dtime TYPE minmax GRANULARITY 1
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', first_received)
PARTITION BY toYYYYMM(dtime)
ORDER BY (organisation_id, toDate(dtime), agent_key, dtime, target, video_id, ip_version)
COMMENT 'Video delivery from YouTube to a phone';

CREATE TABLE IF NOT EXISTS test_mobile_youtube ON CLUSTER panel AS test_mobile_youtube_shard
ENGINE = Distributed('panel', '${database}', 'test_mobile_youtube_shard', cityHash64(agent_key));
