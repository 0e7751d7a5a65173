CREATE TABLE IF NOT EXISTS agent_metadata_snapshot ON CLUSTER panel
(
    version UInt64,
    organisation_id UInt32,
    agent_key UInt64 COMMENT 'agents.id in Postgres',
    valid_from DateTime('UTC') COMMENT 'First second of the validity period; 1970-01-01 00:00:00 when open',
    valid_to DateTime('UTC') COMMENT 'Last second of the validity period, inclusive; 2106-02-07 06:28:15 when open',
    agent_id String,
    unit_id Nullable(UInt64),
    mac_address Nullable(String),
    kind LowCardinality(String) COMMENT 'Whitebox, CPE, Mobile or Web',
    base LowCardinality(String) COMMENT 'Device model',
    country Nullable(String),
    isp Nullable(String),
    package Nullable(String) COMMENT '<isp>:<package>',
    timezone Nullable(String) COMMENT 'IANA name',
    custom Map(String, String),
    custom_number_keys Array(String) COMMENT 'Keys of custom whose value is a number'
)
ENGINE = ReplicatedMergeTree('/clickhouse/tables/all/{database}/{table}', '{shard}-{replica}')
PARTITION BY version
ORDER BY (agent_key, valid_from)
COMMENT 'Metadata of every agent by validity period, in versions';

CREATE TABLE IF NOT EXISTS agent_metadata_version ON CLUSTER panel
(
    version UInt64,
    row_count UInt64 COMMENT 'Rows of the version in agent_metadata_snapshot',
    content_hash UInt64,
    published_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC')
)
ENGINE = ReplicatedMergeTree('/clickhouse/tables/all/{database}/{table}', '{shard}-{replica}')
ORDER BY version
COMMENT 'Versions of agent_metadata_snapshot that are complete';

CREATE DICTIONARY IF NOT EXISTS agent_metadata ON CLUSTER panel
(
    agent_key UInt64,
    valid_from DateTime('UTC'),
    valid_to DateTime('UTC'),
    organisation_id UInt32,
    agent_id String,
    unit_id Nullable(UInt64),
    mac_address Nullable(String),
    kind String,
    base String,
    country Nullable(String),
    isp Nullable(String),
    package Nullable(String),
    timezone Nullable(String),
    custom_json String DEFAULT '{}',
    custom_number_keys Array(String)
)
PRIMARY KEY agent_key
SOURCE(CLICKHOUSE(
    HOST '127.0.0.1' USER '${user}' PASSWORD '${password}' DB '${database}'
    QUERY 'SELECT agent_key, valid_from, valid_to, organisation_id, agent_id, unit_id, mac_address, kind, base, country, isp, package, timezone, toJSONString(custom) AS custom_json, custom_number_keys FROM ${database}.agent_metadata_snapshot WHERE version = (SELECT max(version) FROM ${database}.agent_metadata_version)'
))
LAYOUT(RANGE_HASHED(RANGE_LOOKUP_STRATEGY 'max'))
RANGE(MIN valid_from MAX valid_to)
LIFETIME(0)
COMMENT 'Metadata of an agent at a time, from the newest complete version';

CREATE TABLE IF NOT EXISTS timezone_offset_source ON CLUSTER panel
(
    tzdata_version String COMMENT 'Such as 2026a',
    timezone String COMMENT 'IANA name',
    valid_from DateTime('UTC'),
    valid_to DateTime('UTC') COMMENT 'Last second, inclusive',
    utc_offset_s Int32 COMMENT 'Seconds to add to UTC: Asia/Kathmandu is 20700'
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/all/{database}/{table}', '{shard}-{replica}')
ORDER BY (tzdata_version, timezone, valid_from)
COMMENT 'UTC offset of each time zone by validity period';

CREATE TABLE IF NOT EXISTS timezone_offset_version ON CLUSTER panel
(
    tzdata_version String,
    row_count UInt64,
    published_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC')
)
ENGINE = ReplicatedMergeTree('/clickhouse/tables/all/{database}/{table}', '{shard}-{replica}')
ORDER BY published_at
COMMENT 'Versions of timezone_offset_source that are complete; the last published is in use';

CREATE DICTIONARY IF NOT EXISTS timezone_offset ON CLUSTER panel
(
    timezone String,
    valid_from DateTime('UTC'),
    valid_to DateTime('UTC'),
    utc_offset_s Int32
)
PRIMARY KEY timezone
SOURCE(CLICKHOUSE(
    HOST '127.0.0.1' USER '${user}' PASSWORD '${password}' DB '${database}'
    QUERY 'SELECT timezone, valid_from, valid_to, utc_offset_s FROM ${database}.timezone_offset_source FINAL WHERE tzdata_version = (SELECT tzdata_version FROM ${database}.timezone_offset_version ORDER BY published_at DESC, tzdata_version DESC LIMIT 1)'
))
LAYOUT(COMPLEX_KEY_RANGE_HASHED(RANGE_LOOKUP_STRATEGY 'max'))
RANGE(MIN valid_from MAX valid_to)
LIFETIME(0)
COMMENT 'UTC offset of a time zone at a time, seconds';
