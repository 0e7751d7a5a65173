CREATE TABLE IF NOT EXISTS filter_values ON CLUSTER panel
(
    organisation_id UInt32,
    field LowCardinality(String) COMMENT 'As named in a request: target_set, carrier_name ...',
    value_lower String COMMENT 'The value with A to Z in lower case',
    value String COMMENT 'As text, also where it is a number'
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/all/{database}/{table}', '{shard}-{replica}')
ORDER BY (organisation_id, field, value_lower, value)
COMMENT 'Values of the fields of results, for auto-complete';
