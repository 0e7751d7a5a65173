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
    FROM (SELECT DISTINCT organisation_id, base, target, threads, ip_version, target_group FROM test_httpget_shard)
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
    FROM (SELECT DISTINCT organisation_id, base, target, threads, ip_version, target_group FROM test_httpget_shard)
)
WHERE value != '';

ALTER TABLE filter_values_httpget ON CLUSTER panel MODIFY DEFINER = '${user}' SQL SECURITY DEFINER;

CREATE MATERIALIZED VIEW IF NOT EXISTS filter_values_httppost ON CLUSTER panel TO filter_values
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
    FROM (SELECT DISTINCT organisation_id, base, target, threads, ip_version, target_group FROM test_httppost_shard)
)
WHERE value != '';

ALTER TABLE filter_values_httppost ON CLUSTER panel MODIFY QUERY
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
    FROM (SELECT DISTINCT organisation_id, base, target, threads, ip_version, target_group FROM test_httppost_shard)
)
WHERE value != '';

ALTER TABLE filter_values_httppost ON CLUSTER panel MODIFY DEFINER = '${user}' SQL SECURITY DEFINER;

CREATE MATERIALIZED VIEW IF NOT EXISTS filter_values_dns ON CLUSTER panel TO filter_values
DEFINER = '${user}' SQL SECURITY DEFINER AS
SELECT DISTINCT organisation_id, pair.1 AS field, lower(pair.2) AS value_lower, pair.2 AS value
FROM
(
    SELECT organisation_id, arrayJoin([
        ('base', base),
        ('nameserver', nameserver),
        ('lookup_host', lookup_host),
        ('record_type', record_type),
        ('ip_version', toString(ip_version))
    ]::Array(Tuple(String, String))) AS pair
    FROM (SELECT DISTINCT organisation_id, base, nameserver, lookup_host, record_type, ip_version FROM test_dns_shard)
)
WHERE value != '';

ALTER TABLE filter_values_dns ON CLUSTER panel MODIFY QUERY
SELECT DISTINCT organisation_id, pair.1 AS field, lower(pair.2) AS value_lower, pair.2 AS value
FROM
(
    SELECT organisation_id, arrayJoin([
        ('base', base),
        ('nameserver', nameserver),
        ('lookup_host', lookup_host),
        ('record_type', record_type),
        ('ip_version', toString(ip_version))
    ]::Array(Tuple(String, String))) AS pair
    FROM (SELECT DISTINCT organisation_id, base, nameserver, lookup_host, record_type, ip_version FROM test_dns_shard)
)
WHERE value != '';

ALTER TABLE filter_values_dns ON CLUSTER panel MODIFY DEFINER = '${user}' SQL SECURITY DEFINER;

CREATE MATERIALIZED VIEW IF NOT EXISTS filter_values_netflix ON CLUSTER panel TO filter_values
DEFINER = '${user}' SQL SECURITY DEFINER AS
SELECT DISTINCT organisation_id, pair.1 AS field, lower(pair.2) AS value_lower, pair.2 AS value
FROM
(
    SELECT organisation_id, arrayJoin([
        ('base', base),
        ('target', target),
        ('target_set', target_group),
        ('ip_version', toString(ip_version)),
        ('resolution', toString(resolution))
    ]::Array(Tuple(String, String))) AS pair
    FROM (SELECT DISTINCT organisation_id, base, target, target_group, ip_version, resolution FROM test_netflix_shard)
)
WHERE value != '';

ALTER TABLE filter_values_netflix ON CLUSTER panel MODIFY QUERY
SELECT DISTINCT organisation_id, pair.1 AS field, lower(pair.2) AS value_lower, pair.2 AS value
FROM
(
    SELECT organisation_id, arrayJoin([
        ('base', base),
        ('target', target),
        ('target_set', target_group),
        ('ip_version', toString(ip_version)),
        ('resolution', toString(resolution))
    ]::Array(Tuple(String, String))) AS pair
    FROM (SELECT DISTINCT organisation_id, base, target, target_group, ip_version, resolution FROM test_netflix_shard)
)
WHERE value != '';

ALTER TABLE filter_values_netflix ON CLUSTER panel MODIFY DEFINER = '${user}' SQL SECURITY DEFINER;

CREATE MATERIALIZED VIEW IF NOT EXISTS filter_values_ping ON CLUSTER panel TO filter_values
DEFINER = '${user}' SQL SECURITY DEFINER AS
SELECT DISTINCT organisation_id, pair.1 AS field, lower(pair.2) AS value_lower, pair.2 AS value
FROM
(
    SELECT organisation_id, arrayJoin([
        ('base', base),
        ('target', target),
        ('target_set', target_group),
        ('ip_version', toString(ip_version))
    ]::Array(Tuple(String, String))) AS pair
    FROM (SELECT DISTINCT organisation_id, base, target, target_group, ip_version FROM test_ping_shard)
)
WHERE value != '';

ALTER TABLE filter_values_ping ON CLUSTER panel MODIFY QUERY
SELECT DISTINCT organisation_id, pair.1 AS field, lower(pair.2) AS value_lower, pair.2 AS value
FROM
(
    SELECT organisation_id, arrayJoin([
        ('base', base),
        ('target', target),
        ('target_set', target_group),
        ('ip_version', toString(ip_version))
    ]::Array(Tuple(String, String))) AS pair
    FROM (SELECT DISTINCT organisation_id, base, target, target_group, ip_version FROM test_ping_shard)
)
WHERE value != '';

ALTER TABLE filter_values_ping ON CLUSTER panel MODIFY DEFINER = '${user}' SQL SECURITY DEFINER;

CREATE MATERIALIZED VIEW IF NOT EXISTS filter_values_jitter ON CLUSTER panel TO filter_values
DEFINER = '${user}' SQL SECURITY DEFINER AS
SELECT DISTINCT organisation_id, pair.1 AS field, lower(pair.2) AS value_lower, pair.2 AS value
FROM
(
    SELECT organisation_id, arrayJoin([
        ('base', base),
        ('target', target),
        ('target_set', target_group),
        ('ip_version', toString(ip_version)),
        ('packet_size', toString(packet_size)),
        ('stream_rate', toString(stream_rate))
    ]::Array(Tuple(String, String))) AS pair
    FROM (SELECT DISTINCT organisation_id, base, target, target_group, ip_version, packet_size, stream_rate FROM test_jitter_shard)
)
WHERE value != '';

ALTER TABLE filter_values_jitter ON CLUSTER panel MODIFY QUERY
SELECT DISTINCT organisation_id, pair.1 AS field, lower(pair.2) AS value_lower, pair.2 AS value
FROM
(
    SELECT organisation_id, arrayJoin([
        ('base', base),
        ('target', target),
        ('target_set', target_group),
        ('ip_version', toString(ip_version)),
        ('packet_size', toString(packet_size)),
        ('stream_rate', toString(stream_rate))
    ]::Array(Tuple(String, String))) AS pair
    FROM (SELECT DISTINCT organisation_id, base, target, target_group, ip_version, packet_size, stream_rate FROM test_jitter_shard)
)
WHERE value != '';

ALTER TABLE filter_values_jitter ON CLUSTER panel MODIFY DEFINER = '${user}' SQL SECURITY DEFINER;

CREATE MATERIALIZED VIEW IF NOT EXISTS filter_values_latency ON CLUSTER panel TO filter_values
DEFINER = '${user}' SQL SECURITY DEFINER AS
SELECT DISTINCT organisation_id, pair.1 AS field, lower(pair.2) AS value_lower, pair.2 AS value
FROM
(
    SELECT organisation_id, arrayJoin([
        ('base', base),
        ('target', target),
        ('target_set', target_group),
        ('ip_version', toString(ip_version))
    ]::Array(Tuple(String, String))) AS pair
    FROM (SELECT DISTINCT organisation_id, base, target, target_group, ip_version FROM test_latency_shard)
)
WHERE value != '';

ALTER TABLE filter_values_latency ON CLUSTER panel MODIFY QUERY
SELECT DISTINCT organisation_id, pair.1 AS field, lower(pair.2) AS value_lower, pair.2 AS value
FROM
(
    SELECT organisation_id, arrayJoin([
        ('base', base),
        ('target', target),
        ('target_set', target_group),
        ('ip_version', toString(ip_version))
    ]::Array(Tuple(String, String))) AS pair
    FROM (SELECT DISTINCT organisation_id, base, target, target_group, ip_version FROM test_latency_shard)
)
WHERE value != '';

ALTER TABLE filter_values_latency ON CLUSTER panel MODIFY DEFINER = '${user}' SQL SECURITY DEFINER;

CREATE MATERIALIZED VIEW IF NOT EXISTS filter_values_webget ON CLUSTER panel TO filter_values
DEFINER = '${user}' SQL SECURITY DEFINER AS
SELECT DISTINCT organisation_id, pair.1 AS field, lower(pair.2) AS value_lower, pair.2 AS value
FROM
(
    SELECT organisation_id, arrayJoin([
        ('base', base),
        ('target', target),
        ('target_set', target_group),
        ('ip_version', toString(ip_version)),
        ('threads', toString(threads))
    ]::Array(Tuple(String, String))) AS pair
    FROM (SELECT DISTINCT organisation_id, base, target, target_group, ip_version, threads FROM test_webget_shard)
)
WHERE value != '';

ALTER TABLE filter_values_webget ON CLUSTER panel MODIFY QUERY
SELECT DISTINCT organisation_id, pair.1 AS field, lower(pair.2) AS value_lower, pair.2 AS value
FROM
(
    SELECT organisation_id, arrayJoin([
        ('base', base),
        ('target', target),
        ('target_set', target_group),
        ('ip_version', toString(ip_version)),
        ('threads', toString(threads))
    ]::Array(Tuple(String, String))) AS pair
    FROM (SELECT DISTINCT organisation_id, base, target, target_group, ip_version, threads FROM test_webget_shard)
)
WHERE value != '';

ALTER TABLE filter_values_webget ON CLUSTER panel MODIFY DEFINER = '${user}' SQL SECURITY DEFINER;

CREATE MATERIALIZED VIEW IF NOT EXISTS filter_values_youtube ON CLUSTER panel TO filter_values
DEFINER = '${user}' SQL SECURITY DEFINER AS
SELECT DISTINCT organisation_id, pair.1 AS field, lower(pair.2) AS value_lower, pair.2 AS value
FROM
(
    SELECT organisation_id, arrayJoin([
        ('base', base),
        ('target', target),
        ('target_set', target_group),
        ('ip_version', toString(ip_version)),
        ('resolution', toString(resolution))
    ]::Array(Tuple(String, String))) AS pair
    FROM (SELECT DISTINCT organisation_id, base, target, target_group, ip_version, resolution FROM test_youtube_shard)
)
WHERE value != '';

ALTER TABLE filter_values_youtube ON CLUSTER panel MODIFY QUERY
SELECT DISTINCT organisation_id, pair.1 AS field, lower(pair.2) AS value_lower, pair.2 AS value
FROM
(
    SELECT organisation_id, arrayJoin([
        ('base', base),
        ('target', target),
        ('target_set', target_group),
        ('ip_version', toString(ip_version)),
        ('resolution', toString(resolution))
    ]::Array(Tuple(String, String))) AS pair
    FROM (SELECT DISTINCT organisation_id, base, target, target_group, ip_version, resolution FROM test_youtube_shard)
)
WHERE value != '';

ALTER TABLE filter_values_youtube ON CLUSTER panel MODIFY DEFINER = '${user}' SQL SECURITY DEFINER;

CREATE MATERIALIZED VIEW IF NOT EXISTS filter_values_network_usage ON CLUSTER panel TO filter_values
DEFINER = '${user}' SQL SECURITY DEFINER AS
SELECT DISTINCT organisation_id, pair.1 AS field, lower(pair.2) AS value_lower, pair.2 AS value
FROM
(
    SELECT organisation_id, arrayJoin([
        ('base', base)
    ]::Array(Tuple(String, String))) AS pair
    FROM (SELECT DISTINCT organisation_id, base FROM test_network_usage_shard)
)
WHERE value != '';

ALTER TABLE filter_values_network_usage ON CLUSTER panel MODIFY QUERY
SELECT DISTINCT organisation_id, pair.1 AS field, lower(pair.2) AS value_lower, pair.2 AS value
FROM
(
    SELECT organisation_id, arrayJoin([
        ('base', base)
    ]::Array(Tuple(String, String))) AS pair
    FROM (SELECT DISTINCT organisation_id, base FROM test_network_usage_shard)
)
WHERE value != '';

ALTER TABLE filter_values_network_usage ON CLUSTER panel MODIFY DEFINER = '${user}' SQL SECURITY DEFINER;

CREATE MATERIALIZED VIEW IF NOT EXISTS filter_values_traceroute ON CLUSTER panel TO filter_values
DEFINER = '${user}' SQL SECURITY DEFINER AS
SELECT DISTINCT organisation_id, pair.1 AS field, lower(pair.2) AS value_lower, pair.2 AS value
FROM
(
    SELECT organisation_id, arrayJoin([
        ('base', base),
        ('target', target),
        ('target_set', target_group),
        ('ip_version', toString(ip_version)),
        ('protocol', protocol)
    ]::Array(Tuple(String, String))) AS pair
    FROM (SELECT DISTINCT organisation_id, base, target, target_group, ip_version, protocol FROM test_traceroute_shard)
)
WHERE value != '';

ALTER TABLE filter_values_traceroute ON CLUSTER panel MODIFY QUERY
SELECT DISTINCT organisation_id, pair.1 AS field, lower(pair.2) AS value_lower, pair.2 AS value
FROM
(
    SELECT organisation_id, arrayJoin([
        ('base', base),
        ('target', target),
        ('target_set', target_group),
        ('ip_version', toString(ip_version)),
        ('protocol', protocol)
    ]::Array(Tuple(String, String))) AS pair
    FROM (SELECT DISTINCT organisation_id, base, target, target_group, ip_version, protocol FROM test_traceroute_shard)
)
WHERE value != '';

ALTER TABLE filter_values_traceroute ON CLUSTER panel MODIFY DEFINER = '${user}' SQL SECURITY DEFINER;

CREATE MATERIALIZED VIEW IF NOT EXISTS filter_values_mobile_download ON CLUSTER panel TO filter_values
DEFINER = '${user}' SQL SECURITY DEFINER AS
SELECT DISTINCT organisation_id, pair.1 AS field, lower(pair.2) AS value_lower, pair.2 AS value
FROM
(
    SELECT organisation_id, arrayJoin([
        ('base', base),
        ('manufacturer', manufacturer),
        ('model', model),
        ('operating_system', operating_system),
        ('operating_system_version', operating_system_version),
        ('geo_country', geo_country),
        ('connection_type', connection_type),
        ('cellular_technology', cellular_technology),
        ('carrier_name', carrier_name),
        ('target', target),
        ('target_set', target_group),
        ('ip_version', toString(ip_version)),
        ('threads', toString(threads))
    ]::Array(Tuple(String, String))) AS pair
    FROM (SELECT DISTINCT organisation_id, base, manufacturer, model, operating_system, operating_system_version, geo_country, connection_type, cellular_technology, carrier_name, target, target_group, ip_version, threads FROM test_mobile_download_shard)
)
WHERE value != '';

ALTER TABLE filter_values_mobile_download ON CLUSTER panel MODIFY QUERY
SELECT DISTINCT organisation_id, pair.1 AS field, lower(pair.2) AS value_lower, pair.2 AS value
FROM
(
    SELECT organisation_id, arrayJoin([
        ('base', base),
        ('manufacturer', manufacturer),
        ('model', model),
        ('operating_system', operating_system),
        ('operating_system_version', operating_system_version),
        ('geo_country', geo_country),
        ('connection_type', connection_type),
        ('cellular_technology', cellular_technology),
        ('carrier_name', carrier_name),
        ('target', target),
        ('target_set', target_group),
        ('ip_version', toString(ip_version)),
        ('threads', toString(threads))
    ]::Array(Tuple(String, String))) AS pair
    FROM (SELECT DISTINCT organisation_id, base, manufacturer, model, operating_system, operating_system_version, geo_country, connection_type, cellular_technology, carrier_name, target, target_group, ip_version, threads FROM test_mobile_download_shard)
)
WHERE value != '';

ALTER TABLE filter_values_mobile_download ON CLUSTER panel MODIFY DEFINER = '${user}' SQL SECURITY DEFINER;

CREATE MATERIALIZED VIEW IF NOT EXISTS filter_values_mobile_latency ON CLUSTER panel TO filter_values
DEFINER = '${user}' SQL SECURITY DEFINER AS
SELECT DISTINCT organisation_id, pair.1 AS field, lower(pair.2) AS value_lower, pair.2 AS value
FROM
(
    SELECT organisation_id, arrayJoin([
        ('base', base),
        ('manufacturer', manufacturer),
        ('model', model),
        ('operating_system', operating_system),
        ('operating_system_version', operating_system_version),
        ('geo_country', geo_country),
        ('connection_type', connection_type),
        ('cellular_technology', cellular_technology),
        ('carrier_name', carrier_name),
        ('target', target),
        ('target_set', target_group),
        ('ip_version', toString(ip_version))
    ]::Array(Tuple(String, String))) AS pair
    FROM (SELECT DISTINCT organisation_id, base, manufacturer, model, operating_system, operating_system_version, geo_country, connection_type, cellular_technology, carrier_name, target, target_group, ip_version FROM test_mobile_latency_shard)
)
WHERE value != '';

ALTER TABLE filter_values_mobile_latency ON CLUSTER panel MODIFY QUERY
SELECT DISTINCT organisation_id, pair.1 AS field, lower(pair.2) AS value_lower, pair.2 AS value
FROM
(
    SELECT organisation_id, arrayJoin([
        ('base', base),
        ('manufacturer', manufacturer),
        ('model', model),
        ('operating_system', operating_system),
        ('operating_system_version', operating_system_version),
        ('geo_country', geo_country),
        ('connection_type', connection_type),
        ('cellular_technology', cellular_technology),
        ('carrier_name', carrier_name),
        ('target', target),
        ('target_set', target_group),
        ('ip_version', toString(ip_version))
    ]::Array(Tuple(String, String))) AS pair
    FROM (SELECT DISTINCT organisation_id, base, manufacturer, model, operating_system, operating_system_version, geo_country, connection_type, cellular_technology, carrier_name, target, target_group, ip_version FROM test_mobile_latency_shard)
)
WHERE value != '';

ALTER TABLE filter_values_mobile_latency ON CLUSTER panel MODIFY DEFINER = '${user}' SQL SECURITY DEFINER;

CREATE MATERIALIZED VIEW IF NOT EXISTS filter_values_mobile_upload ON CLUSTER panel TO filter_values
DEFINER = '${user}' SQL SECURITY DEFINER AS
SELECT DISTINCT organisation_id, pair.1 AS field, lower(pair.2) AS value_lower, pair.2 AS value
FROM
(
    SELECT organisation_id, arrayJoin([
        ('base', base),
        ('manufacturer', manufacturer),
        ('model', model),
        ('operating_system', operating_system),
        ('operating_system_version', operating_system_version),
        ('geo_country', geo_country),
        ('connection_type', connection_type),
        ('cellular_technology', cellular_technology),
        ('carrier_name', carrier_name),
        ('target', target),
        ('target_set', target_group),
        ('ip_version', toString(ip_version)),
        ('threads', toString(threads))
    ]::Array(Tuple(String, String))) AS pair
    FROM (SELECT DISTINCT organisation_id, base, manufacturer, model, operating_system, operating_system_version, geo_country, connection_type, cellular_technology, carrier_name, target, target_group, ip_version, threads FROM test_mobile_upload_shard)
)
WHERE value != '';

ALTER TABLE filter_values_mobile_upload ON CLUSTER panel MODIFY QUERY
SELECT DISTINCT organisation_id, pair.1 AS field, lower(pair.2) AS value_lower, pair.2 AS value
FROM
(
    SELECT organisation_id, arrayJoin([
        ('base', base),
        ('manufacturer', manufacturer),
        ('model', model),
        ('operating_system', operating_system),
        ('operating_system_version', operating_system_version),
        ('geo_country', geo_country),
        ('connection_type', connection_type),
        ('cellular_technology', cellular_technology),
        ('carrier_name', carrier_name),
        ('target', target),
        ('target_set', target_group),
        ('ip_version', toString(ip_version)),
        ('threads', toString(threads))
    ]::Array(Tuple(String, String))) AS pair
    FROM (SELECT DISTINCT organisation_id, base, manufacturer, model, operating_system, operating_system_version, geo_country, connection_type, cellular_technology, carrier_name, target, target_group, ip_version, threads FROM test_mobile_upload_shard)
)
WHERE value != '';

ALTER TABLE filter_values_mobile_upload ON CLUSTER panel MODIFY DEFINER = '${user}' SQL SECURITY DEFINER;

CREATE MATERIALIZED VIEW IF NOT EXISTS filter_values_mobile_www ON CLUSTER panel TO filter_values
DEFINER = '${user}' SQL SECURITY DEFINER AS
SELECT DISTINCT organisation_id, pair.1 AS field, lower(pair.2) AS value_lower, pair.2 AS value
FROM
(
    SELECT organisation_id, arrayJoin([
        ('base', base),
        ('manufacturer', manufacturer),
        ('model', model),
        ('operating_system', operating_system),
        ('operating_system_version', operating_system_version),
        ('geo_country', geo_country),
        ('connection_type', connection_type),
        ('cellular_technology', cellular_technology),
        ('carrier_name', carrier_name),
        ('target', target),
        ('target_set', target_group),
        ('ip_version', toString(ip_version))
    ]::Array(Tuple(String, String))) AS pair
    FROM (SELECT DISTINCT organisation_id, base, manufacturer, model, operating_system, operating_system_version, geo_country, connection_type, cellular_technology, carrier_name, target, target_group, ip_version FROM test_mobile_www_shard)
)
WHERE value != '';

ALTER TABLE filter_values_mobile_www ON CLUSTER panel MODIFY QUERY
SELECT DISTINCT organisation_id, pair.1 AS field, lower(pair.2) AS value_lower, pair.2 AS value
FROM
(
    SELECT organisation_id, arrayJoin([
        ('base', base),
        ('manufacturer', manufacturer),
        ('model', model),
        ('operating_system', operating_system),
        ('operating_system_version', operating_system_version),
        ('geo_country', geo_country),
        ('connection_type', connection_type),
        ('cellular_technology', cellular_technology),
        ('carrier_name', carrier_name),
        ('target', target),
        ('target_set', target_group),
        ('ip_version', toString(ip_version))
    ]::Array(Tuple(String, String))) AS pair
    FROM (SELECT DISTINCT organisation_id, base, manufacturer, model, operating_system, operating_system_version, geo_country, connection_type, cellular_technology, carrier_name, target, target_group, ip_version FROM test_mobile_www_shard)
)
WHERE value != '';

ALTER TABLE filter_values_mobile_www ON CLUSTER panel MODIFY DEFINER = '${user}' SQL SECURITY DEFINER;

CREATE MATERIALIZED VIEW IF NOT EXISTS filter_values_mobile_youtube ON CLUSTER panel TO filter_values
DEFINER = '${user}' SQL SECURITY DEFINER AS
SELECT DISTINCT organisation_id, pair.1 AS field, lower(pair.2) AS value_lower, pair.2 AS value
FROM
(
    SELECT organisation_id, arrayJoin([
        ('base', base),
        ('manufacturer', manufacturer),
        ('model', model),
        ('operating_system', operating_system),
        ('operating_system_version', operating_system_version),
        ('geo_country', geo_country),
        ('connection_type', connection_type),
        ('cellular_technology', cellular_technology),
        ('carrier_name', carrier_name),
        ('target', target),
        ('target_set', target_group),
        ('ip_version', toString(ip_version)),
        ('resolution', toString(resolution))
    ]::Array(Tuple(String, String))) AS pair
    FROM (SELECT DISTINCT organisation_id, base, manufacturer, model, operating_system, operating_system_version, geo_country, connection_type, cellular_technology, carrier_name, target, target_group, ip_version, resolution FROM test_mobile_youtube_shard)
)
WHERE value != '';

ALTER TABLE filter_values_mobile_youtube ON CLUSTER panel MODIFY QUERY
SELECT DISTINCT organisation_id, pair.1 AS field, lower(pair.2) AS value_lower, pair.2 AS value
FROM
(
    SELECT organisation_id, arrayJoin([
        ('base', base),
        ('manufacturer', manufacturer),
        ('model', model),
        ('operating_system', operating_system),
        ('operating_system_version', operating_system_version),
        ('geo_country', geo_country),
        ('connection_type', connection_type),
        ('cellular_technology', cellular_technology),
        ('carrier_name', carrier_name),
        ('target', target),
        ('target_set', target_group),
        ('ip_version', toString(ip_version)),
        ('resolution', toString(resolution))
    ]::Array(Tuple(String, String))) AS pair
    FROM (SELECT DISTINCT organisation_id, base, manufacturer, model, operating_system, operating_system_version, geo_country, connection_type, cellular_technology, carrier_name, target, target_group, ip_version, resolution FROM test_mobile_youtube_shard)
)
WHERE value != '';

ALTER TABLE filter_values_mobile_youtube ON CLUSTER panel MODIFY DEFINER = '${user}' SQL SECURITY DEFINER;

CREATE MATERIALIZED VIEW IF NOT EXISTS last_rows_httpget_feed ON CLUSTER panel TO last_rows_httpget_shard
DEFINER = '${user}' SQL SECURITY DEFINER AS
SELECT organisation_id, agent_key, base, ddate, dtime, agent_id, unit_id, target, address, fetch_time, bytes_total, bytes_sec, bytes_sec_interval, warmup_time, warmup_bytes, sequence, threads, tcp_retransmissions, successes, failures, ip_version, target_group, received_at, first_received
FROM test_httpget_shard;

ALTER TABLE last_rows_httpget_feed ON CLUSTER panel MODIFY QUERY
SELECT organisation_id, agent_key, base, ddate, dtime, agent_id, unit_id, target, address, fetch_time, bytes_total, bytes_sec, bytes_sec_interval, warmup_time, warmup_bytes, sequence, threads, tcp_retransmissions, successes, failures, ip_version, target_group, received_at, first_received
FROM test_httpget_shard;

ALTER TABLE last_rows_httpget_feed ON CLUSTER panel MODIFY DEFINER = '${user}' SQL SECURITY DEFINER;

CREATE MATERIALIZED VIEW IF NOT EXISTS last_rows_httppost_feed ON CLUSTER panel TO last_rows_httppost_shard
DEFINER = '${user}' SQL SECURITY DEFINER AS
SELECT organisation_id, agent_key, base, ddate, dtime, agent_id, unit_id, target, address, fetch_time, bytes_total, bytes_sec, bytes_sec_interval, warmup_time, warmup_bytes, sequence, threads, tcp_retransmissions, successes, failures, ip_version, target_group, received_at, first_received
FROM test_httppost_shard;

ALTER TABLE last_rows_httppost_feed ON CLUSTER panel MODIFY QUERY
SELECT organisation_id, agent_key, base, ddate, dtime, agent_id, unit_id, target, address, fetch_time, bytes_total, bytes_sec, bytes_sec_interval, warmup_time, warmup_bytes, sequence, threads, tcp_retransmissions, successes, failures, ip_version, target_group, received_at, first_received
FROM test_httppost_shard;

ALTER TABLE last_rows_httppost_feed ON CLUSTER panel MODIFY DEFINER = '${user}' SQL SECURITY DEFINER;

CREATE MATERIALIZED VIEW IF NOT EXISTS last_rows_traceroute_feed ON CLUSTER panel TO last_rows_traceroute_shard
DEFINER = '${user}' SQL SECURITY DEFINER AS
SELECT organisation_id, agent_key, base, ddate, dtime, agent_id, unit_id, target, target_group, address, ip_version, protocol, hop, hop_address, hop_name, sent, received, rtt_avg, successes, failures, received_at, first_received
FROM test_traceroute_shard;

ALTER TABLE last_rows_traceroute_feed ON CLUSTER panel MODIFY QUERY
SELECT organisation_id, agent_key, base, ddate, dtime, agent_id, unit_id, target, target_group, address, ip_version, protocol, hop, hop_address, hop_name, sent, received, rtt_avg, successes, failures, received_at, first_received
FROM test_traceroute_shard;

ALTER TABLE last_rows_traceroute_feed ON CLUSTER panel MODIFY DEFINER = '${user}' SQL SECURITY DEFINER;

CREATE OR REPLACE VIEW results_httpget ON CLUSTER panel AS
SELECT
    organisation_id, agent_key, base, ddate, dtime, agent_id, unit_id, target, address, fetch_time, bytes_total, bytes_sec, bytes_sec_interval, warmup_time, warmup_bytes, sequence, threads, tcp_retransmissions, successes, failures, ip_version, target_group, received_at,
    dictGetOrNull('${database}.agent_metadata', 'isp', agent_key, toDateTime(dtime)) AS isp,
    dictGetOrNull('${database}.agent_metadata', 'package', agent_key, toDateTime(dtime)) AS package,
    dictGetOrNull('${database}.agent_metadata', 'country', agent_key, toDateTime(dtime)) AS country,
    dictGetOrNull('${database}.agent_metadata', 'kind', agent_key, toDateTime(dtime)) AS kind,
    JSONExtract(dictGet('${database}.agent_metadata', 'custom_json', agent_key, toDateTime(dtime)), 'Map(String, String)') AS custom,
    dictGetOrNull('${database}.agent_metadata', 'timezone', agent_key, toDateTime(dtime)) AS timezone,
    dictGetOrDefault('${database}.timezone_offset', 'utc_offset_s', ifNull(timezone, 'UTC'), toDateTime(dtime), 0) AS utc_offset_s,
    addSeconds(dtime, utc_offset_s) AS local_time
FROM test_httpget FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1;

CREATE OR REPLACE VIEW results_httppost ON CLUSTER panel AS
SELECT
    organisation_id, agent_key, base, ddate, dtime, agent_id, unit_id, target, address, fetch_time, bytes_total, bytes_sec, bytes_sec_interval, warmup_time, warmup_bytes, sequence, threads, tcp_retransmissions, successes, failures, ip_version, target_group, received_at,
    dictGetOrNull('${database}.agent_metadata', 'isp', agent_key, toDateTime(dtime)) AS isp,
    dictGetOrNull('${database}.agent_metadata', 'package', agent_key, toDateTime(dtime)) AS package,
    dictGetOrNull('${database}.agent_metadata', 'country', agent_key, toDateTime(dtime)) AS country,
    dictGetOrNull('${database}.agent_metadata', 'kind', agent_key, toDateTime(dtime)) AS kind,
    JSONExtract(dictGet('${database}.agent_metadata', 'custom_json', agent_key, toDateTime(dtime)), 'Map(String, String)') AS custom,
    dictGetOrNull('${database}.agent_metadata', 'timezone', agent_key, toDateTime(dtime)) AS timezone,
    dictGetOrDefault('${database}.timezone_offset', 'utc_offset_s', ifNull(timezone, 'UTC'), toDateTime(dtime), 0) AS utc_offset_s,
    addSeconds(dtime, utc_offset_s) AS local_time
FROM test_httppost FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1;

CREATE OR REPLACE VIEW results_dns ON CLUSTER panel AS
SELECT
    organisation_id, agent_key, base, ddate, dtime, agent_id, unit_id, nameserver, lookup_host, record_type, response_ip, rtt, successes, failures, ip_version, received_at,
    dictGetOrNull('${database}.agent_metadata', 'isp', agent_key, toDateTime(dtime)) AS isp,
    dictGetOrNull('${database}.agent_metadata', 'package', agent_key, toDateTime(dtime)) AS package,
    dictGetOrNull('${database}.agent_metadata', 'country', agent_key, toDateTime(dtime)) AS country,
    dictGetOrNull('${database}.agent_metadata', 'kind', agent_key, toDateTime(dtime)) AS kind,
    JSONExtract(dictGet('${database}.agent_metadata', 'custom_json', agent_key, toDateTime(dtime)), 'Map(String, String)') AS custom,
    dictGetOrNull('${database}.agent_metadata', 'timezone', agent_key, toDateTime(dtime)) AS timezone,
    dictGetOrDefault('${database}.timezone_offset', 'utc_offset_s', ifNull(timezone, 'UTC'), toDateTime(dtime), 0) AS utc_offset_s,
    addSeconds(dtime, utc_offset_s) AS local_time
FROM test_dns FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1;

CREATE OR REPLACE VIEW results_netflix ON CLUSTER panel AS
SELECT
    organisation_id, agent_key, base, ddate, dtime, agent_id, unit_id, target, target_group, address, ip_version, bitrate, resolution, downthrpt, bytes_total, duration, connect_time, startup_delay, buffer_underruns, buffer_delay, ttfb, successes, failures, received_at,
    dictGetOrNull('${database}.agent_metadata', 'isp', agent_key, toDateTime(dtime)) AS isp,
    dictGetOrNull('${database}.agent_metadata', 'package', agent_key, toDateTime(dtime)) AS package,
    dictGetOrNull('${database}.agent_metadata', 'country', agent_key, toDateTime(dtime)) AS country,
    dictGetOrNull('${database}.agent_metadata', 'kind', agent_key, toDateTime(dtime)) AS kind,
    JSONExtract(dictGet('${database}.agent_metadata', 'custom_json', agent_key, toDateTime(dtime)), 'Map(String, String)') AS custom,
    dictGetOrNull('${database}.agent_metadata', 'timezone', agent_key, toDateTime(dtime)) AS timezone,
    dictGetOrDefault('${database}.timezone_offset', 'utc_offset_s', ifNull(timezone, 'UTC'), toDateTime(dtime), 0) AS utc_offset_s,
    addSeconds(dtime, utc_offset_s) AS local_time
FROM test_netflix FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1;

CREATE OR REPLACE VIEW results_ping ON CLUSTER panel AS
SELECT
    organisation_id, agent_key, base, ddate, dtime, agent_id, unit_id, target, target_group, address, ip_version, line_load, rtt_avg, rtt_min, rtt_max, rtt_std, successes, failures, received_at,
    dictGetOrNull('${database}.agent_metadata', 'isp', agent_key, toDateTime(dtime)) AS isp,
    dictGetOrNull('${database}.agent_metadata', 'package', agent_key, toDateTime(dtime)) AS package,
    dictGetOrNull('${database}.agent_metadata', 'country', agent_key, toDateTime(dtime)) AS country,
    dictGetOrNull('${database}.agent_metadata', 'kind', agent_key, toDateTime(dtime)) AS kind,
    JSONExtract(dictGet('${database}.agent_metadata', 'custom_json', agent_key, toDateTime(dtime)), 'Map(String, String)') AS custom,
    dictGetOrNull('${database}.agent_metadata', 'timezone', agent_key, toDateTime(dtime)) AS timezone,
    dictGetOrDefault('${database}.timezone_offset', 'utc_offset_s', ifNull(timezone, 'UTC'), toDateTime(dtime), 0) AS utc_offset_s,
    addSeconds(dtime, utc_offset_s) AS local_time
FROM test_ping FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1;

CREATE OR REPLACE VIEW results_jitter ON CLUSTER panel AS
SELECT
    organisation_id, agent_key, base, ddate, dtime, agent_id, unit_id, target, target_group, address, ip_version, packet_size, stream_rate, duration, packets_up_sent, packets_down_sent, packets_up_recv, packets_down_recv, jitter_up, jitter_down, latency, successes, failures, received_at,
    dictGetOrNull('${database}.agent_metadata', 'isp', agent_key, toDateTime(dtime)) AS isp,
    dictGetOrNull('${database}.agent_metadata', 'package', agent_key, toDateTime(dtime)) AS package,
    dictGetOrNull('${database}.agent_metadata', 'country', agent_key, toDateTime(dtime)) AS country,
    dictGetOrNull('${database}.agent_metadata', 'kind', agent_key, toDateTime(dtime)) AS kind,
    JSONExtract(dictGet('${database}.agent_metadata', 'custom_json', agent_key, toDateTime(dtime)), 'Map(String, String)') AS custom,
    dictGetOrNull('${database}.agent_metadata', 'timezone', agent_key, toDateTime(dtime)) AS timezone,
    dictGetOrDefault('${database}.timezone_offset', 'utc_offset_s', ifNull(timezone, 'UTC'), toDateTime(dtime), 0) AS utc_offset_s,
    addSeconds(dtime, utc_offset_s) AS local_time
FROM test_jitter FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1;

CREATE OR REPLACE VIEW results_latency ON CLUSTER panel AS
SELECT
    organisation_id, agent_key, base, ddate, dtime, agent_id, unit_id, target, target_group, address, ip_version, line_load, rtt_avg, rtt_min, rtt_max, rtt_std, successes, failures, received_at,
    dictGetOrNull('${database}.agent_metadata', 'isp', agent_key, toDateTime(dtime)) AS isp,
    dictGetOrNull('${database}.agent_metadata', 'package', agent_key, toDateTime(dtime)) AS package,
    dictGetOrNull('${database}.agent_metadata', 'country', agent_key, toDateTime(dtime)) AS country,
    dictGetOrNull('${database}.agent_metadata', 'kind', agent_key, toDateTime(dtime)) AS kind,
    JSONExtract(dictGet('${database}.agent_metadata', 'custom_json', agent_key, toDateTime(dtime)), 'Map(String, String)') AS custom,
    dictGetOrNull('${database}.agent_metadata', 'timezone', agent_key, toDateTime(dtime)) AS timezone,
    dictGetOrDefault('${database}.timezone_offset', 'utc_offset_s', ifNull(timezone, 'UTC'), toDateTime(dtime), 0) AS utc_offset_s,
    addSeconds(dtime, utc_offset_s) AS local_time
FROM test_latency FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1;

CREATE OR REPLACE VIEW results_webget ON CLUSTER panel AS
SELECT
    organisation_id, agent_key, base, ddate, dtime, agent_id, unit_id, target, target_group, address, ip_version, fetch_time, bytes_total, bytes_sec, objects, threads, requests, connections, reused_connections, lookups, request_total_time, request_min_time, request_avg_time, request_max_time, ttfb_total, ttfb_min, ttfb_avg, ttfb_max, lookup_total_time, lookup_min_time, lookup_avg_time, lookup_max_time, successes, failures, received_at,
    dictGetOrNull('${database}.agent_metadata', 'isp', agent_key, toDateTime(dtime)) AS isp,
    dictGetOrNull('${database}.agent_metadata', 'package', agent_key, toDateTime(dtime)) AS package,
    dictGetOrNull('${database}.agent_metadata', 'country', agent_key, toDateTime(dtime)) AS country,
    dictGetOrNull('${database}.agent_metadata', 'kind', agent_key, toDateTime(dtime)) AS kind,
    JSONExtract(dictGet('${database}.agent_metadata', 'custom_json', agent_key, toDateTime(dtime)), 'Map(String, String)') AS custom,
    dictGetOrNull('${database}.agent_metadata', 'timezone', agent_key, toDateTime(dtime)) AS timezone,
    dictGetOrDefault('${database}.timezone_offset', 'utc_offset_s', ifNull(timezone, 'UTC'), toDateTime(dtime), 0) AS utc_offset_s,
    addSeconds(dtime, utc_offset_s) AS local_time
FROM test_webget FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1;

CREATE OR REPLACE VIEW results_youtube ON CLUSTER panel AS
SELECT
    organisation_id, agent_key, base, ddate, dtime, agent_id, unit_id, target, target_group, address, ip_version, video_id, bitrate, resolution, downthrpt, bytes_total, duration, connect_time, startup_delay, buffer_underruns, buffer_delay, buffer_size, buffer_filltime, downjitter, latency, jitter, successes, failures, received_at,
    dictGetOrNull('${database}.agent_metadata', 'isp', agent_key, toDateTime(dtime)) AS isp,
    dictGetOrNull('${database}.agent_metadata', 'package', agent_key, toDateTime(dtime)) AS package,
    dictGetOrNull('${database}.agent_metadata', 'country', agent_key, toDateTime(dtime)) AS country,
    dictGetOrNull('${database}.agent_metadata', 'kind', agent_key, toDateTime(dtime)) AS kind,
    JSONExtract(dictGet('${database}.agent_metadata', 'custom_json', agent_key, toDateTime(dtime)), 'Map(String, String)') AS custom,
    dictGetOrNull('${database}.agent_metadata', 'timezone', agent_key, toDateTime(dtime)) AS timezone,
    dictGetOrDefault('${database}.timezone_offset', 'utc_offset_s', ifNull(timezone, 'UTC'), toDateTime(dtime), 0) AS utc_offset_s,
    addSeconds(dtime, utc_offset_s) AS local_time
FROM test_youtube FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1;

CREATE OR REPLACE VIEW results_network_usage ON CLUSTER panel AS
SELECT
    organisation_id, agent_key, base, ddate, dtime, agent_id, unit_id, wan_rx_bytes, wan_tx_bytes, sk_rx_bytes, sk_tx_bytes, received_at,
    dictGetOrNull('${database}.agent_metadata', 'isp', agent_key, toDateTime(dtime)) AS isp,
    dictGetOrNull('${database}.agent_metadata', 'package', agent_key, toDateTime(dtime)) AS package,
    dictGetOrNull('${database}.agent_metadata', 'country', agent_key, toDateTime(dtime)) AS country,
    dictGetOrNull('${database}.agent_metadata', 'kind', agent_key, toDateTime(dtime)) AS kind,
    JSONExtract(dictGet('${database}.agent_metadata', 'custom_json', agent_key, toDateTime(dtime)), 'Map(String, String)') AS custom,
    dictGetOrNull('${database}.agent_metadata', 'timezone', agent_key, toDateTime(dtime)) AS timezone,
    dictGetOrDefault('${database}.timezone_offset', 'utc_offset_s', ifNull(timezone, 'UTC'), toDateTime(dtime), 0) AS utc_offset_s,
    addSeconds(dtime, utc_offset_s) AS local_time
FROM test_network_usage FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1;

CREATE OR REPLACE VIEW results_traceroute ON CLUSTER panel AS
SELECT
    organisation_id, agent_key, base, ddate, dtime, agent_id, unit_id, target, target_group, address, ip_version, protocol, hop, hop_address, hop_name, sent, received, rtt_avg, successes, failures, received_at,
    dictGetOrNull('${database}.agent_metadata', 'isp', agent_key, toDateTime(dtime)) AS isp,
    dictGetOrNull('${database}.agent_metadata', 'package', agent_key, toDateTime(dtime)) AS package,
    dictGetOrNull('${database}.agent_metadata', 'country', agent_key, toDateTime(dtime)) AS country,
    dictGetOrNull('${database}.agent_metadata', 'kind', agent_key, toDateTime(dtime)) AS kind,
    JSONExtract(dictGet('${database}.agent_metadata', 'custom_json', agent_key, toDateTime(dtime)), 'Map(String, String)') AS custom,
    dictGetOrNull('${database}.agent_metadata', 'timezone', agent_key, toDateTime(dtime)) AS timezone,
    dictGetOrDefault('${database}.timezone_offset', 'utc_offset_s', ifNull(timezone, 'UTC'), toDateTime(dtime), 0) AS utc_offset_s,
    addSeconds(dtime, utc_offset_s) AS local_time
FROM test_traceroute FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1;

CREATE OR REPLACE VIEW results_mobile_download ON CLUSTER panel AS
SELECT
    organisation_id, agent_key, base, ddate, dtime, agent_id, unit_id, manufacturer, model, operating_system, operating_system_version, app_version, geo_country, connection_type, cellular_technology, carrier_name, is_roaming, cell_id, signal_strength, target, target_group, address, ip_version, fetch_time, bytes_total, bytes_sec, warmup_time, warmup_bytes, threads, successes, failures, received_at,
    dictGetOrNull('${database}.agent_metadata', 'isp', agent_key, toDateTime(dtime)) AS isp,
    dictGetOrNull('${database}.agent_metadata', 'package', agent_key, toDateTime(dtime)) AS package,
    dictGetOrNull('${database}.agent_metadata', 'country', agent_key, toDateTime(dtime)) AS country,
    dictGetOrNull('${database}.agent_metadata', 'kind', agent_key, toDateTime(dtime)) AS kind,
    JSONExtract(dictGet('${database}.agent_metadata', 'custom_json', agent_key, toDateTime(dtime)), 'Map(String, String)') AS custom,
    dictGetOrNull('${database}.agent_metadata', 'timezone', agent_key, toDateTime(dtime)) AS timezone,
    dictGetOrDefault('${database}.timezone_offset', 'utc_offset_s', ifNull(timezone, 'UTC'), toDateTime(dtime), 0) AS utc_offset_s,
    addSeconds(dtime, utc_offset_s) AS local_time
FROM test_mobile_download FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1;

CREATE OR REPLACE VIEW results_mobile_latency ON CLUSTER panel AS
SELECT
    organisation_id, agent_key, base, ddate, dtime, agent_id, unit_id, manufacturer, model, operating_system, operating_system_version, app_version, geo_country, connection_type, cellular_technology, carrier_name, is_roaming, cell_id, signal_strength, target, target_group, address, ip_version, rtt_avg, rtt_min, rtt_max, rtt_std, jitter, successes, failures, received_at,
    dictGetOrNull('${database}.agent_metadata', 'isp', agent_key, toDateTime(dtime)) AS isp,
    dictGetOrNull('${database}.agent_metadata', 'package', agent_key, toDateTime(dtime)) AS package,
    dictGetOrNull('${database}.agent_metadata', 'country', agent_key, toDateTime(dtime)) AS country,
    dictGetOrNull('${database}.agent_metadata', 'kind', agent_key, toDateTime(dtime)) AS kind,
    JSONExtract(dictGet('${database}.agent_metadata', 'custom_json', agent_key, toDateTime(dtime)), 'Map(String, String)') AS custom,
    dictGetOrNull('${database}.agent_metadata', 'timezone', agent_key, toDateTime(dtime)) AS timezone,
    dictGetOrDefault('${database}.timezone_offset', 'utc_offset_s', ifNull(timezone, 'UTC'), toDateTime(dtime), 0) AS utc_offset_s,
    addSeconds(dtime, utc_offset_s) AS local_time
FROM test_mobile_latency FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1;

CREATE OR REPLACE VIEW results_mobile_upload ON CLUSTER panel AS
SELECT
    organisation_id, agent_key, base, ddate, dtime, agent_id, unit_id, manufacturer, model, operating_system, operating_system_version, app_version, geo_country, connection_type, cellular_technology, carrier_name, is_roaming, cell_id, signal_strength, target, target_group, address, ip_version, fetch_time, bytes_total, bytes_sec, warmup_time, warmup_bytes, threads, successes, failures, received_at,
    dictGetOrNull('${database}.agent_metadata', 'isp', agent_key, toDateTime(dtime)) AS isp,
    dictGetOrNull('${database}.agent_metadata', 'package', agent_key, toDateTime(dtime)) AS package,
    dictGetOrNull('${database}.agent_metadata', 'country', agent_key, toDateTime(dtime)) AS country,
    dictGetOrNull('${database}.agent_metadata', 'kind', agent_key, toDateTime(dtime)) AS kind,
    JSONExtract(dictGet('${database}.agent_metadata', 'custom_json', agent_key, toDateTime(dtime)), 'Map(String, String)') AS custom,
    dictGetOrNull('${database}.agent_metadata', 'timezone', agent_key, toDateTime(dtime)) AS timezone,
    dictGetOrDefault('${database}.timezone_offset', 'utc_offset_s', ifNull(timezone, 'UTC'), toDateTime(dtime), 0) AS utc_offset_s,
    addSeconds(dtime, utc_offset_s) AS local_time
FROM test_mobile_upload FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1;

CREATE OR REPLACE VIEW results_mobile_www ON CLUSTER panel AS
SELECT
    organisation_id, agent_key, base, ddate, dtime, agent_id, unit_id, manufacturer, model, operating_system, operating_system_version, app_version, geo_country, connection_type, cellular_technology, carrier_name, is_roaming, cell_id, signal_strength, target, target_group, address, ip_version, fetch_time, bytes_total, bytes_sec, objects, requests, lookup_time, connect_time, ttfb, successes, failures, received_at,
    dictGetOrNull('${database}.agent_metadata', 'isp', agent_key, toDateTime(dtime)) AS isp,
    dictGetOrNull('${database}.agent_metadata', 'package', agent_key, toDateTime(dtime)) AS package,
    dictGetOrNull('${database}.agent_metadata', 'country', agent_key, toDateTime(dtime)) AS country,
    dictGetOrNull('${database}.agent_metadata', 'kind', agent_key, toDateTime(dtime)) AS kind,
    JSONExtract(dictGet('${database}.agent_metadata', 'custom_json', agent_key, toDateTime(dtime)), 'Map(String, String)') AS custom,
    dictGetOrNull('${database}.agent_metadata', 'timezone', agent_key, toDateTime(dtime)) AS timezone,
    dictGetOrDefault('${database}.timezone_offset', 'utc_offset_s', ifNull(timezone, 'UTC'), toDateTime(dtime), 0) AS utc_offset_s,
    addSeconds(dtime, utc_offset_s) AS local_time
FROM test_mobile_www FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1;

CREATE OR REPLACE VIEW results_mobile_youtube ON CLUSTER panel AS
SELECT
    organisation_id, agent_key, base, ddate, dtime, agent_id, unit_id, manufacturer, model, operating_system, operating_system_version, app_version, geo_country, connection_type, cellular_technology, carrier_name, is_roaming, cell_id, signal_strength, target, target_group, address, ip_version, video_id, bitrate, resolution, downthrpt, bytes_total, duration, connect_time, startup_delay, buffer_underruns, buffer_delay, successes, failures, received_at,
    dictGetOrNull('${database}.agent_metadata', 'isp', agent_key, toDateTime(dtime)) AS isp,
    dictGetOrNull('${database}.agent_metadata', 'package', agent_key, toDateTime(dtime)) AS package,
    dictGetOrNull('${database}.agent_metadata', 'country', agent_key, toDateTime(dtime)) AS country,
    dictGetOrNull('${database}.agent_metadata', 'kind', agent_key, toDateTime(dtime)) AS kind,
    JSONExtract(dictGet('${database}.agent_metadata', 'custom_json', agent_key, toDateTime(dtime)), 'Map(String, String)') AS custom,
    dictGetOrNull('${database}.agent_metadata', 'timezone', agent_key, toDateTime(dtime)) AS timezone,
    dictGetOrDefault('${database}.timezone_offset', 'utc_offset_s', ifNull(timezone, 'UTC'), toDateTime(dtime), 0) AS utc_offset_s,
    addSeconds(dtime, utc_offset_s) AS local_time
FROM test_mobile_youtube FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1;
