-- Metadata of the agents by validity period. The metadata of each organisation is published from Postgres on its own, so
-- that a change that cannot be published does not stop the changes of others. A publication is in use as soon as it has a row
-- in agent_metadata_publication.

CREATE TABLE IF NOT EXISTS agent_metadata_period
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
COMMENT 'Metadata of every agent by validity period, in publications';

CREATE TABLE IF NOT EXISTS agent_metadata_publication
(
    organisation_id UInt32,
    publication UInt64 COMMENT 'Higher than all earlier ones of any organisation',
    row_count UInt64 COMMENT 'Rows of the publication in agent_metadata_period',
    content_hash UInt64,
    published_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC')
)
ENGINE = ReplacingMergeTree(publication)
ORDER BY organisation_id
COMMENT 'Publications of agent_metadata_period that are complete; the highest of an organisation is in use';

-- A change of some agents is published without the other agents of the organisation: their rows are in
-- agent_metadata_change, and lookups try the small dictionary agent_metadata_changes before agent_metadata. Later the
-- changes are folded into the organisation's snapshot in agent_metadata_period: docs/decisions/versioned-snapshots.md.
CREATE TABLE IF NOT EXISTS agent_metadata_change AS agent_metadata_period
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

-- The snapshots in use.
CREATE OR REPLACE VIEW agent_metadata_base AS
SELECT
    organisation_id, agent_key, valid_from, valid_to, agent_id, unit_id, mac_address, kind, base, country, isp,
    package, timezone, custom, custom_number_keys
FROM agent_metadata_period
WHERE (organisation_id, publication) IN (
    SELECT organisation_id, max(publication) FROM agent_metadata_publication GROUP BY organisation_id
);

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

-- Custom values are found by hashes of the organisation and a secret key: equal values of two organisations have different
-- hashes, and a user who may look up a hash cannot compute it from a guessed value. The key is a column and not a constant of
-- these queries, because ClickHouse writes constants to EXPLAIN and to errors. `netpanel migrate` creates the key.
CREATE TABLE IF NOT EXISTS custom_hash_key
(
    k0 UInt64,
    k1 UInt64,
    created_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC')
)
ENGINE = MergeTree
ORDER BY created_at
COMMENT 'Secret key of the hashes of custom values. The oldest row is in use';

CREATE OR REPLACE VIEW custom_hash_key_in_use AS
SELECT argMin((k0, k1), (created_at, k0)) AS hash_key
FROM custom_hash_key
HAVING throwIf(count() = 0, 'custom_hash_key is empty: run netpanel migrate') = 0;

-- Without PORT the source is this server itself, read without the network; 127.0.0.1 and not localhost, which the local
-- engine does not accept. Where two periods share a second the later one wins ('max'). Look up with toDateTime(dtime): a
-- DateTime64 is refused. The custom values are JSON text, since ClickHouse before 26.5 refuses a Map attribute (code 50).
-- JSONExtract(custom_json, key, 'Nullable(String)') returns NULL for a missing key and '' for an empty value.
--
-- timezone_custom_hash is the hash of the time zone * 2^64 + the hash of the custom values: a lookup by agent and time costs
-- more than all other steps of a custom field. plan_hash stands for the ISP and the package, for reports that need only know
-- whether they changed. It is 0 without both, as for an agent without metadata.
CREATE DICTIONARY IF NOT EXISTS agent_metadata
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
        FROM ${database}.agent_metadata_changed
        CROSS JOIN ${database}.custom_hash_key_in_use
        UNION ALL
        SELECT DISTINCT
            0, toDateTime(0), toDateTime(4294967295), 0, toString(0), NULL, NULL, toString(0), toString(0), NULL, NULL,
            NULL, NULL, toString(0), emptyArrayString(), 0, 0
        FROM ${database}.agent_metadata_changed'
))
LAYOUT(RANGE_HASHED(RANGE_LOOKUP_STRATEGY 'max'))
RANGE(MIN valid_from MAX valid_to)
LIFETIME(0)
COMMENT 'Metadata of an agent at a time, if it changed since the snapshot of its organisation';
