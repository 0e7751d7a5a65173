CREATE MATERIALIZED VIEW IF NOT EXISTS filter_values_httpget ON CLUSTER panel TO filter_values
DEFINER = '${user}' SQL SECURITY DEFINER AS
SELECT DISTINCT organisation_id, pair.1 AS field, lower(pair.2) AS value_lower, pair.2 AS value
FROM
(
    SELECT organisation_id, arrayJoin([
        ('base', base),
        ('target', target),
        ('threads', toString(threads)),
        ('ip_version', toString(ip_version)),
        ('target_set', target_group)
    ]::Array(Tuple(String, String))) AS pair
    FROM (
        SELECT DISTINCT organisation_id, base, target, threads, ip_version, target_group
        FROM test_httpget_shard
        WHERE (successes > 0) OR (successes > 0 AND bytes_sec_interval != 0) OR (successes > 0 AND isNotNull(tcp_retransmissions))
    )
)
WHERE value != '';

ALTER TABLE filter_values_httpget ON CLUSTER panel MODIFY QUERY
SELECT DISTINCT organisation_id, pair.1 AS field, lower(pair.2) AS value_lower, pair.2 AS value
FROM
(
    SELECT organisation_id, arrayJoin([
        ('base', base),
        ('target', target),
        ('threads', toString(threads)),
        ('ip_version', toString(ip_version)),
        ('target_set', target_group)
    ]::Array(Tuple(String, String))) AS pair
    FROM (
        SELECT DISTINCT organisation_id, base, target, threads, ip_version, target_group
        FROM test_httpget_shard
        WHERE (successes > 0) OR (successes > 0 AND bytes_sec_interval != 0) OR (successes > 0 AND isNotNull(tcp_retransmissions))
    )
)
WHERE value != '';

ALTER TABLE filter_values_httpget ON CLUSTER panel MODIFY DEFINER = '${user}' SQL SECURITY DEFINER;
