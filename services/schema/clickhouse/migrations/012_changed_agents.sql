-- A change of some agents is published without the other agents of the organisation: their rows are in
-- agent_metadata_change, and lookups try the small dictionary agent_metadata_changes before agent_metadata. Later the
-- changes are folded into the organisation's snapshot in agent_metadata_period: docs/decisions/versioned-snapshots.md.

CREATE TABLE IF NOT EXISTS agent_metadata_change
(
    publication UInt64,
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
ENGINE = MergeTree
PARTITION BY (organisation_id, publication)
ORDER BY (agent_key, valid_from)
COMMENT 'All periods of the agents that changed since the snapshot of their organisation';

CREATE TABLE IF NOT EXISTS agent_metadata_change_publication
(
    organisation_id UInt32,
    publication UInt64 COMMENT 'Higher than all earlier ones of any organisation',
    row_count UInt64 COMMENT 'Rows of the publication in agent_metadata_change; 0: the snapshot has all changes',
    content_hash UInt64,
    published_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC')
)
ENGINE = ReplacingMergeTree(publication)
ORDER BY organisation_id
COMMENT 'Publications of agent_metadata_change that are complete; the highest of an organisation is in use';

-- Read by caches: data before affected_from is the same in this version and the one before it.
CREATE TABLE IF NOT EXISTS metadata_version_effect
(
    organisation_id UInt32,
    version UInt64 COMMENT 'metadata_versions.version in Postgres',
    affected_from DateTime('UTC') COMMENT 'The earliest moment whose metadata changed; 1970-01-01 00:00:00 for any time',
    published_at DateTime('UTC') DEFAULT now('UTC')
)
ENGINE = ReplacingMergeTree
ORDER BY (organisation_id, version)
TTL published_at + INTERVAL 400 DAY
COMMENT 'From which moment on a metadata version differs from the one before it; a version without a row may differ at any time';

-- The snapshots in use. An organisation that was not published since the upgrade from 0.1.0 has its metadata in the
-- snapshot of 0.1.0.
CREATE OR REPLACE VIEW agent_metadata_base AS
SELECT
    organisation_id, agent_key, valid_from, valid_to, agent_id, unit_id, mac_address, kind, base, country, isp,
    package, timezone, custom, custom_number_keys
FROM agent_metadata_period
WHERE (organisation_id, publication) IN (
    SELECT organisation_id, max(publication) FROM agent_metadata_publication GROUP BY organisation_id
)
UNION ALL
SELECT
    organisation_id, agent_key, valid_from, valid_to, agent_id, unit_id, mac_address, kind, base, country, isp,
    package, timezone, custom, custom_number_keys
FROM agent_metadata_snapshot
WHERE version = (SELECT max(version) FROM agent_metadata_version)
    AND organisation_id NOT IN (SELECT organisation_id FROM agent_metadata_publication);

-- The changes in use.
CREATE OR REPLACE VIEW agent_metadata_changed AS
SELECT
    organisation_id, agent_key, valid_from, valid_to, agent_id, unit_id, mac_address, kind, base, country, isp,
    package, timezone, custom, custom_number_keys
FROM agent_metadata_change
WHERE (organisation_id, publication) IN (
    SELECT organisation_id, max(publication) FROM agent_metadata_change_publication GROUP BY organisation_id
);

-- What queries see: the changes, and the snapshots of all other agents.
CREATE OR REPLACE VIEW agent_metadata_current AS
SELECT * FROM agent_metadata_base WHERE agent_key NOT IN (SELECT agent_key FROM agent_metadata_changed)
UNION ALL
SELECT * FROM agent_metadata_changed;

CREATE OR REPLACE DICTIONARY agent_metadata
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
    custom_number_keys Array(String)
)
PRIMARY KEY agent_key
SOURCE(CLICKHOUSE(
    HOST '127.0.0.1' USER '${user}' PASSWORD '${password}' DB '${database}'
    QUERY 'SELECT agent_key, valid_from, valid_to, organisation_id, agent_id, unit_id, mac_address, kind, base, country, isp, package, timezone, ifNull(cityHash64(timezone), 0) AS timezone_hash, toJSONString(custom) AS custom_json, custom_number_keys FROM ${database}.agent_metadata_base'
))
LAYOUT(RANGE_HASHED(RANGE_LOOKUP_STRATEGY 'max'))
RANGE(MIN valid_from MAX valid_to)
LIFETIME(0)
COMMENT 'Metadata of an agent at a time, from the snapshots in use; agent_metadata_changes comes first';

-- Key 0, which no agent has, exists if there are changes: ClickHouse evaluates dictHas(…, 0, …) once per query, and
-- without changes removes the lookup in this dictionary from the query.
CREATE DICTIONARY IF NOT EXISTS agent_metadata_changes
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
    custom_number_keys Array(String)
)
PRIMARY KEY agent_key
SOURCE(CLICKHOUSE(
    HOST '127.0.0.1' USER '${user}' PASSWORD '${password}' DB '${database}'
    QUERY 'SELECT agent_key, valid_from, valid_to, organisation_id, agent_id, unit_id, mac_address, kind, base, country, isp, package, timezone, ifNull(cityHash64(timezone), 0) AS timezone_hash, toJSONString(custom) AS custom_json, custom_number_keys FROM ${database}.agent_metadata_changed UNION ALL SELECT DISTINCT 0, toDateTime(0), toDateTime(4294967295), 0, toString(0), NULL, NULL, toString(0), toString(0), NULL, NULL, NULL, NULL, 0, toString(0), emptyArrayString() FROM ${database}.agent_metadata_changed'
))
LAYOUT(RANGE_HASHED(RANGE_LOOKUP_STRATEGY 'max'))
RANGE(MIN valid_from MAX valid_to)
LIFETIME(0)
COMMENT 'Metadata of an agent at a time, if it changed since the snapshot of its organisation';
