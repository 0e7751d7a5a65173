-- The values each organisation's results have in the fields that can be filtered by, for the
-- auto-complete of GET /filters/{id}/values. Filled by every insert into a test's table; a value is
-- kept once it has been seen. Agents and units are listed from Postgres, metadata from its snapshot.
-- Sorted for a search by prefix that ignores the case of A to Z (lower, since lowerUTF8 is not in every
-- build of ClickHouse):
--
--   SELECT value FROM filter_values
--   WHERE organisation_id = 1 AND field = 'target' AND startsWith(value_lower, 'lon')

CREATE TABLE IF NOT EXISTS filter_values
(
    organisation_id UInt32,
    field LowCardinality(String) COMMENT 'As named in a request: target_set, carrier_name ...',
    value_lower String COMMENT 'The value with A to Z in lower case',
    value String COMMENT 'As text, also where it is a number'
)
ENGINE = ReplacingMergeTree
ORDER BY (organisation_id, field, value_lower, value)
COMMENT 'Values of the fields of results, for auto-complete';

CREATE MATERIALIZED VIEW IF NOT EXISTS filter_values_httpget TO filter_values AS
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
    FROM (SELECT DISTINCT organisation_id, base, target, threads, ip_version, target_group FROM test_httpget)
)
WHERE value != '';

CREATE MATERIALIZED VIEW IF NOT EXISTS filter_values_httppost TO filter_values AS
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
    FROM (SELECT DISTINCT organisation_id, base, target, threads, ip_version, target_group FROM test_httppost)
)
WHERE value != '';

CREATE MATERIALIZED VIEW IF NOT EXISTS filter_values_dns TO filter_values AS
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
    FROM (SELECT DISTINCT organisation_id, base, nameserver, lookup_host, record_type, ip_version FROM test_dns)
)
WHERE value != '';

CREATE MATERIALIZED VIEW IF NOT EXISTS filter_values_netflix TO filter_values AS
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
    FROM (SELECT DISTINCT organisation_id, base, target, target_group, ip_version, resolution FROM test_netflix)
)
WHERE value != '';

CREATE MATERIALIZED VIEW IF NOT EXISTS filter_values_ping TO filter_values AS
SELECT DISTINCT organisation_id, pair.1 AS field, lower(pair.2) AS value_lower, pair.2 AS value
FROM
(
    SELECT organisation_id, arrayJoin([
        ('base', base),
        ('target', target),
        ('target_set', target_group),
        ('ip_version', toString(ip_version))
    ]::Array(Tuple(String, String))) AS pair
    FROM (SELECT DISTINCT organisation_id, base, target, target_group, ip_version FROM test_ping)
)
WHERE value != '';

CREATE MATERIALIZED VIEW IF NOT EXISTS filter_values_jitter TO filter_values AS
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
    FROM (SELECT DISTINCT organisation_id, base, target, target_group, ip_version, packet_size, stream_rate FROM test_jitter)
)
WHERE value != '';

CREATE MATERIALIZED VIEW IF NOT EXISTS filter_values_latency TO filter_values AS
SELECT DISTINCT organisation_id, pair.1 AS field, lower(pair.2) AS value_lower, pair.2 AS value
FROM
(
    SELECT organisation_id, arrayJoin([
        ('base', base),
        ('target', target),
        ('target_set', target_group),
        ('ip_version', toString(ip_version))
    ]::Array(Tuple(String, String))) AS pair
    FROM (SELECT DISTINCT organisation_id, base, target, target_group, ip_version FROM test_latency)
)
WHERE value != '';

CREATE MATERIALIZED VIEW IF NOT EXISTS filter_values_webget TO filter_values AS
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
    FROM (SELECT DISTINCT organisation_id, base, target, target_group, ip_version, threads FROM test_webget)
)
WHERE value != '';

CREATE MATERIALIZED VIEW IF NOT EXISTS filter_values_youtube TO filter_values AS
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
    FROM (SELECT DISTINCT organisation_id, base, target, target_group, ip_version, resolution FROM test_youtube)
)
WHERE value != '';

CREATE MATERIALIZED VIEW IF NOT EXISTS filter_values_network_usage TO filter_values AS
SELECT DISTINCT organisation_id, pair.1 AS field, lower(pair.2) AS value_lower, pair.2 AS value
FROM
(
    SELECT organisation_id, arrayJoin([
        ('base', base)
    ]::Array(Tuple(String, String))) AS pair
    FROM (SELECT DISTINCT organisation_id, base FROM test_network_usage)
)
WHERE value != '';

CREATE MATERIALIZED VIEW IF NOT EXISTS filter_values_traceroute TO filter_values AS
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
    FROM (SELECT DISTINCT organisation_id, base, target, target_group, ip_version, protocol FROM test_traceroute)
)
WHERE value != '';

CREATE MATERIALIZED VIEW IF NOT EXISTS filter_values_mobile_download TO filter_values AS
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
    FROM (SELECT DISTINCT organisation_id, base, manufacturer, model, operating_system, operating_system_version, geo_country, connection_type, cellular_technology, carrier_name, target, target_group, ip_version, threads FROM test_mobile_download)
)
WHERE value != '';

CREATE MATERIALIZED VIEW IF NOT EXISTS filter_values_mobile_latency TO filter_values AS
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
    FROM (SELECT DISTINCT organisation_id, base, manufacturer, model, operating_system, operating_system_version, geo_country, connection_type, cellular_technology, carrier_name, target, target_group, ip_version FROM test_mobile_latency)
)
WHERE value != '';

CREATE MATERIALIZED VIEW IF NOT EXISTS filter_values_mobile_upload TO filter_values AS
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
    FROM (SELECT DISTINCT organisation_id, base, manufacturer, model, operating_system, operating_system_version, geo_country, connection_type, cellular_technology, carrier_name, target, target_group, ip_version, threads FROM test_mobile_upload)
)
WHERE value != '';

CREATE MATERIALIZED VIEW IF NOT EXISTS filter_values_mobile_www TO filter_values AS
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
    FROM (SELECT DISTINCT organisation_id, base, manufacturer, model, operating_system, operating_system_version, geo_country, connection_type, cellular_technology, carrier_name, target, target_group, ip_version FROM test_mobile_www)
)
WHERE value != '';

CREATE MATERIALIZED VIEW IF NOT EXISTS filter_values_mobile_youtube TO filter_values AS
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
    FROM (SELECT DISTINCT organisation_id, base, manufacturer, model, operating_system, operating_system_version, geo_country, connection_type, cellular_technology, carrier_name, target, target_group, ip_version, resolution FROM test_mobile_youtube)
)
WHERE value != '';
