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
    custom_number_keys Array(String),
    timezone_custom_hash UInt128,
    plan_hash UInt64
)
PRIMARY KEY agent_key
SOURCE(CLICKHOUSE(
    HOST '127.0.0.1' USER '${user}' PASSWORD '${password}' DB '${database}'
    QUERY '
        SELECT
            agent_key, valid_from, valid_to, organisation_id, agent_id, unit_id, mac_address, kind, base, country, isp,
            package, timezone, toJSONString(custom) AS custom_json, custom_number_keys,
            bitShiftLeft(toUInt128(ifNull(cityHash64(timezone), 0)), 64)
                + sipHash64Keyed(hash_key, organisation_id, toJSONString(custom), custom_number_keys)
                AS timezone_custom_hash,
            if(isNull(isp) AND isNull(package), 0, sipHash64(toJSONString((isp, package)))) AS plan_hash
        FROM ${database}.agent_metadata_base
        CROSS JOIN ${database}.custom_hash_key_in_use'
))
LAYOUT(RANGE_HASHED(RANGE_LOOKUP_STRATEGY 'max'))
RANGE(MIN valid_from MAX valid_to)
LIFETIME(0)
COMMENT 'Metadata of an agent at a time, from the snapshots in use; agent_metadata_changes comes first';
