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

CREATE MATERIALIZED VIEW IF NOT EXISTS filter_values_httpget ON CLUSTER panel TO filter_values AS
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

CREATE MATERIALIZED VIEW IF NOT EXISTS filter_values_httppost ON CLUSTER panel TO filter_values AS
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

CREATE MATERIALIZED VIEW IF NOT EXISTS filter_values_dns ON CLUSTER panel TO filter_values AS
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

CREATE MATERIALIZED VIEW IF NOT EXISTS filter_values_netflix ON CLUSTER panel TO filter_values AS
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

CREATE MATERIALIZED VIEW IF NOT EXISTS filter_values_ping ON CLUSTER panel TO filter_values AS
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

CREATE MATERIALIZED VIEW IF NOT EXISTS filter_values_jitter ON CLUSTER panel TO filter_values AS
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

CREATE MATERIALIZED VIEW IF NOT EXISTS filter_values_latency ON CLUSTER panel TO filter_values AS
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

CREATE MATERIALIZED VIEW IF NOT EXISTS filter_values_webget ON CLUSTER panel TO filter_values AS
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

CREATE MATERIALIZED VIEW IF NOT EXISTS filter_values_youtube ON CLUSTER panel TO filter_values AS
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

CREATE MATERIALIZED VIEW IF NOT EXISTS filter_values_network_usage ON CLUSTER panel TO filter_values AS
SELECT DISTINCT organisation_id, pair.1 AS field, lower(pair.2) AS value_lower, pair.2 AS value
FROM
(
    SELECT organisation_id, arrayJoin([
        ('base', base)
    ]::Array(Tuple(String, String))) AS pair
    FROM (SELECT DISTINCT organisation_id, base FROM test_network_usage_shard)
)
WHERE value != '';

CREATE MATERIALIZED VIEW IF NOT EXISTS filter_values_traceroute ON CLUSTER panel TO filter_values AS
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

CREATE MATERIALIZED VIEW IF NOT EXISTS filter_values_mobile_download ON CLUSTER panel TO filter_values AS
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

CREATE MATERIALIZED VIEW IF NOT EXISTS filter_values_mobile_latency ON CLUSTER panel TO filter_values AS
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

CREATE MATERIALIZED VIEW IF NOT EXISTS filter_values_mobile_upload ON CLUSTER panel TO filter_values AS
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

CREATE MATERIALIZED VIEW IF NOT EXISTS filter_values_mobile_www ON CLUSTER panel TO filter_values AS
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

CREATE MATERIALIZED VIEW IF NOT EXISTS filter_values_mobile_youtube ON CLUSTER panel TO filter_values AS
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
