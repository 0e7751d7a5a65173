-- Replicate weights of households, which netpanel weights copies from Postgres like the sets of agents: a copy is in use
-- while it is the newest of its field in weight_replicate_copy.

CREATE TABLE IF NOT EXISTS weight_replicate
(
    organisation_id UInt32,
    copy UUID COMMENT 'One copy from Postgres; in use while it is the newest of its field in weight_replicate_copy',
    agent_key UInt64 COMMENT 'agents.id in Postgres',
    valid_from DateTime('UTC') COMMENT 'Valid until the next one of the agent',
    factors Array(Float64) COMMENT 'The weight in each replicate, divided by the weight; empty: there are none'
)
ENGINE = MergeTree
ORDER BY (organisation_id, copy, agent_key, valid_from)
COMMENT 'Replicate weights of households, in copies';

CREATE TABLE IF NOT EXISTS weight_replicate_copy
(
    organisation_id UInt32,
    name String COMMENT 'Custom key of the weights',
    copy UUID,
    member_count UInt64 COMMENT 'Rows of the copy in weight_replicate when it was made',
    is_removed Bool COMMENT 'Postgres has no replicates of the field; the copy has no rows',
    copied_at DateTime64(6, 'UTC') DEFAULT now64(6, 'UTC')
)
ENGINE = MergeTree
ORDER BY (organisation_id, name, copied_at)
COMMENT 'Complete copies of replicate weights; the newest of a field is in use';
