-- Named sets of agents, for filters of requests. netpanel sets copies them from Postgres. A copy is in use as soon as it
-- has a row in agent_set_copy, so a query sees the whole set before a change or the whole set after it.

CREATE TABLE IF NOT EXISTS agent_set_member
(
    organisation_id UInt32,
    copy UUID COMMENT 'One copy from Postgres; in use while it is the newest of its set in agent_set_copy',
    agent_key UInt64 COMMENT 'agents.id in Postgres'
)
ENGINE = MergeTree
ORDER BY (organisation_id, copy, agent_key)
COMMENT 'Agents of sets, in copies';

CREATE TABLE IF NOT EXISTS agent_set_copy
(
    organisation_id UInt32,
    name String COMMENT 'Name of the set in requests',
    copy UUID,
    member_count UInt64 COMMENT 'Rows of the copy in agent_set_member when it was made',
    is_removed Bool COMMENT 'The set was removed; the copy has no rows',
    copied_at DateTime64(6, 'UTC') DEFAULT now64(6, 'UTC')
)
ENGINE = MergeTree
ORDER BY (organisation_id, name, copied_at)
COMMENT 'Complete copies of sets; the newest of a set is in use';

CREATE OR REPLACE VIEW agent_set_current AS
SELECT organisation_id, name, member_count
FROM (
    SELECT
        organisation_id, name,
        argMax(member_count, copied_at) AS member_count,
        argMax(is_removed, copied_at) AS is_removed
    FROM agent_set_copy
    GROUP BY organisation_id, name
)
WHERE NOT is_removed;

CREATE OR REPLACE VIEW agent_set_agents AS
SELECT member.organisation_id AS organisation_id, current.name AS name, member.agent_key AS agent_key
FROM agent_set_member AS member
INNER JOIN (
    SELECT organisation_id, name, argMax(copy, copied_at) AS copy
    FROM agent_set_copy
    GROUP BY organisation_id, name
) AS current ON member.organisation_id = current.organisation_id AND member.copy = current.copy;
