CREATE MATERIALIZED VIEW IF NOT EXISTS last_rows_traceroute_feed ON CLUSTER panel TO last_rows_traceroute_shard
DEFINER = '${user}' SQL SECURITY DEFINER AS
SELECT organisation_id, agent_key, base, ddate, dtime, agent_id, unit_id, target, target_group, address, ip_version, protocol, hop, hop_address, hop_name, sent, received, rtt_avg, successes, failures, received_at, first_received
FROM test_traceroute_shard;

ALTER TABLE last_rows_traceroute_feed ON CLUSTER panel MODIFY QUERY
SELECT organisation_id, agent_key, base, ddate, dtime, agent_id, unit_id, target, target_group, address, ip_version, protocol, hop, hop_address, hop_name, sent, received, rtt_avg, successes, failures, received_at, first_received
FROM test_traceroute_shard;

ALTER TABLE last_rows_traceroute_feed ON CLUSTER panel MODIFY DEFINER = '${user}' SQL SECURITY DEFINER;
