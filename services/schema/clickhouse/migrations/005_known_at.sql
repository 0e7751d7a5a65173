-- Metadata as it was recorded at an earlier moment, for requests with knownAt. The dictionary has only what is recorded
-- now. The query service copies the periods from Postgres when a request needs them, and uses them again for an hour:
-- docs/decisions/known-at.md.

CREATE TABLE IF NOT EXISTS agent_metadata_known_at
(
    organisation_id UInt32,
    fill UUID COMMENT 'One copy from Postgres; in use when it has a row in agent_metadata_known_at_fill',
    agent_key UInt64 COMMENT 'agents.id in Postgres',
    valid_from DateTime('UTC') COMMENT 'First second of the period, which ends where the next one of the agent begins',
    isp Nullable(String),
    package Nullable(String) COMMENT '<isp>:<package>',
    timezone Nullable(String) COMMENT 'IANA name',
    custom Map(String, String),
    custom_number_keys Array(String) COMMENT 'Keys of custom whose value is a number',
    filled_at DateTime('UTC') DEFAULT now('UTC')
)
ENGINE = MergeTree
PARTITION BY toStartOfHour(filled_at)
ORDER BY (organisation_id, fill, agent_key, valid_from)
TTL filled_at + INTERVAL 3 HOUR
SETTINGS ttl_only_drop_parts = 1, merge_with_ttl_timeout = 600
COMMENT 'Metadata by validity period as it was recorded at an earlier moment, kept 3 hours';

-- The rows above live longer than a fill is used, so that a query never starts with a part of them.
CREATE TABLE IF NOT EXISTS agent_metadata_known_at_fill
(
    organisation_id UInt32,
    change_id UInt64 COMMENT 'metadata_changes.id in Postgres: the last change that was known; 0: none',
    fill UUID,
    row_count UInt64 COMMENT 'Rows of the fill in agent_metadata_known_at',
    filled_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC')
)
ENGINE = MergeTree
ORDER BY (organisation_id, change_id, filled_at)
TTL toDateTime(filled_at) + INTERVAL 1 DAY
COMMENT 'Complete copies of metadata in agent_metadata_known_at; the newest of a change is in use';
