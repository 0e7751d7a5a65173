CREATE OR REPLACE DICTIONARY custom_value ON CLUSTER panel
(
    id UInt64,
    value Nullable(String),
    is_number UInt8,
    positive_number Nullable(Float64),
    value_id UInt64
)
PRIMARY KEY id
SOURCE(CLICKHOUSE(
    HOST '127.0.0.1' USER '${user}' PASSWORD '${password}' DB '${database}'
    QUERY 'SELECT sipHash64(custom_hash) AS id, NULL AS value, 0 AS is_number, NULL AS positive_number, 0 AS value_id FROM ${database}.published_custom UNION ALL SELECT arrayJoin([sipHash64(custom_hash, key), value_id]) AS id, custom[key] AS value, has(custom_number_keys, key) AS is_number, arrayFirstOrNull(number -> isFinite(number) AND number > 0, [toFloat64OrNull(custom[key])]) AS positive_number, sipHash64(has(custom_number_keys, key), custom[key]) AS value_id FROM ${database}.published_custom ARRAY JOIN mapKeys(custom) AS key'
))
LAYOUT(HASHED_ARRAY())
LIFETIME(0)
COMMENT 'Value of a custom field; key: sipHash64(custom_hash of the metadata, name of the field), or value_id';

CREATE OR REPLACE DICTIONARY agent_metadata ON CLUSTER panel
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
    timezone_hash UInt64,
    custom_json String DEFAULT '{}',
    custom_number_keys Array(String),
    custom_hash UInt64,
    timezone_custom_hash UInt128,
    plan_hash UInt64
)
PRIMARY KEY agent_key
SOURCE(CLICKHOUSE(
    HOST '127.0.0.1' USER '${user}' PASSWORD '${password}' DB '${database}'
    QUERY 'SELECT agent_key, valid_from, valid_to, organisation_id, agent_id, unit_id, mac_address, kind, base, country, isp, package, timezone, ifNull(cityHash64(timezone), 0) AS timezone_hash, toJSONString(custom) AS custom_json, custom_number_keys, sipHash64(toJSONString(custom), custom_number_keys) AS custom_hash, bitShiftLeft(toUInt128(timezone_hash), 64) + custom_hash AS timezone_custom_hash, if(isNull(isp) AND isNull(package), 0, sipHash64(toJSONString((isp, package)))) AS plan_hash FROM ${database}.agent_metadata_base'
))
LAYOUT(RANGE_HASHED(RANGE_LOOKUP_STRATEGY 'max'))
RANGE(MIN valid_from MAX valid_to)
LIFETIME(0)
COMMENT 'Metadata of an agent at a time, from the snapshots in use; agent_metadata_changes comes first';

CREATE OR REPLACE DICTIONARY agent_metadata_changes ON CLUSTER panel
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
    timezone_hash UInt64,
    custom_json String DEFAULT '{}',
    custom_number_keys Array(String),
    custom_hash UInt64,
    timezone_custom_hash UInt128,
    plan_hash UInt64
)
PRIMARY KEY agent_key
SOURCE(CLICKHOUSE(
    HOST '127.0.0.1' USER '${user}' PASSWORD '${password}' DB '${database}'
    QUERY 'SELECT agent_key, valid_from, valid_to, organisation_id, agent_id, unit_id, mac_address, kind, base, country, isp, package, timezone, ifNull(cityHash64(timezone), 0) AS timezone_hash, toJSONString(custom) AS custom_json, custom_number_keys, sipHash64(toJSONString(custom), custom_number_keys) AS custom_hash, bitShiftLeft(toUInt128(timezone_hash), 64) + custom_hash AS timezone_custom_hash, if(isNull(isp) AND isNull(package), 0, sipHash64(toJSONString((isp, package)))) AS plan_hash FROM ${database}.agent_metadata_changed UNION ALL SELECT DISTINCT 0, toDateTime(0), toDateTime(4294967295), 0, toString(0), NULL, NULL, toString(0), toString(0), NULL, NULL, NULL, NULL, 0, toString(0), emptyArrayString(), 0, 0, 0 FROM ${database}.agent_metadata_changed'
))
LAYOUT(RANGE_HASHED(RANGE_LOOKUP_STRATEGY 'max'))
RANGE(MIN valid_from MAX valid_to)
LIFETIME(0)
COMMENT 'Metadata of an agent at a time, if it changed since the snapshot of its organisation';
