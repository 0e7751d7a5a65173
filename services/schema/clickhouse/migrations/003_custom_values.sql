-- The value of a custom field without parsing JSON for every result: docs/decisions/query-cost.md. The metadata
-- dictionaries have a hash of all custom values of a period, and custom_value has the value of a field by that hash. A
-- block of results has few different hashes, and ClickHouse looks up each once.

-- Of all publications that exist, not only of those in use: queries may still use an earlier one while a new one is
-- loaded. Values of erased households are gone when custom_value was reloaded after their rows were deleted.
CREATE OR REPLACE VIEW published_custom AS
SELECT DISTINCT
    sipHash64Keyed(hash_key, organisation_id, toJSONString(custom), custom_number_keys) AS custom_hash,
    custom,
    custom_number_keys,
    mapApply((key, value) -> (key, sipHash64Keyed(hash_key, organisation_id, has(custom_number_keys, key), value)), custom)
        AS custom_ids
FROM (
    SELECT organisation_id, custom, custom_number_keys FROM agent_metadata_period
    UNION ALL
    SELECT organisation_id, custom, custom_number_keys FROM agent_metadata_change
) AS published
CROSS JOIN custom_hash_key_in_use;

-- The published metadata with the value_id of each custom field. The row policy of the query service filters the view, which
-- reads the key with the rights of the user who migrated.
CREATE OR REPLACE VIEW agent_metadata_ids DEFINER = '${user}' SQL SECURITY DEFINER AS
SELECT
    organisation_id, agent_key, valid_from, valid_to, kind, country, isp, package, timezone, custom, custom_number_keys,
    mapApply((key, value) -> (key, sipHash64Keyed(hash_key, organisation_id, has(custom_number_keys, key), value)), custom)
        AS custom_ids
FROM agent_metadata_current
CROSS JOIN custom_hash_key_in_use;

-- Keys are of three kinds. sipHash64(custom_hash, name of a field) has the value in this metadata. value_id has the value
-- too: results are grouped by it. sipHash64(custom_hash) has NULL: with it a query can tell an agent without the field from a
-- dictionary that was loaded too early.
--
-- positive_number is for reports, which divide by it: NULL if the value is not a number, infinite, 0 or negative.
CREATE DICTIONARY IF NOT EXISTS custom_value
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
    QUERY '
        SELECT sipHash64(custom_hash) AS id, NULL AS value, 0 AS is_number, NULL AS positive_number, 0 AS value_id
        FROM ${database}.published_custom
        UNION ALL
        SELECT
            arrayJoin([sipHash64(custom_hash, key), value_id]) AS id,
            custom[key] AS value,
            has(custom_number_keys, key) AS is_number,
            arrayFirstOrNull(number -> isFinite(number) AND number > 0, [toFloat64OrNull(custom[key])]) AS positive_number,
            custom_ids[key] AS value_id
        FROM ${database}.published_custom
        ARRAY JOIN mapKeys(custom) AS key'
))
LAYOUT(HASHED_ARRAY())
LIFETIME(0)
COMMENT 'Value of a custom field; key: sipHash64(custom_hash of the metadata, name of the field), or value_id';
