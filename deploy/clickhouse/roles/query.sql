-- The query service: reads results and metadata, writes its audit, and nothing else. Functions that reach
-- out of the server (url, file, s3, remote and their kin) need a grant, and there is none here.
-- Where the database is not called netpanel, replace the name before running this.

CREATE SETTINGS PROFILE IF NOT EXISTS netpanel_query SETTINGS
    -- Not readonly, since the audit is written; what may be written is a matter of the grants below. The
    -- service itself sends readonly = 2 with every query of a caller.
    allow_ddl = 0 CONST,
    allow_introspection_functions = 0 CONST,
    -- The service sends its own limits, which may be lower than these and never higher.
    max_execution_time = 60 MIN 1 MAX 3600,
    max_memory_usage = 4294967296 MIN 1 MAX 17179869184,
    max_rows_to_read = 2000000000 MIN 1 MAX 100000000000,
    max_result_rows = 5000000 MIN 1 MAX 5000000000,
    max_threads MAX 64,
    max_concurrent_queries_for_user = 200 CONST,
    -- 'break' would return part of an answer as if it were all.
    timeout_overflow_mode = 'throw' CONST,
    read_overflow_mode = 'throw' CONST,
    result_overflow_mode = 'throw' CONST,
    -- On a cluster: a missing shard is an error, never a smaller answer.
    skip_unavailable_shards = 0 CONST;

CREATE ROLE IF NOT EXISTS netpanel_query SETTINGS PROFILE 'netpanel_query';

-- POST /metric_data and /test_data, their explanations and exports read the results. The views results_* are
-- for analysts: the service does not use them.
GRANT SELECT ON netpanel.test_httpget TO netpanel_query;
GRANT SELECT ON netpanel.test_httppost TO netpanel_query;
GRANT SELECT ON netpanel.test_dns TO netpanel_query;
GRANT SELECT ON netpanel.test_netflix TO netpanel_query;
GRANT SELECT ON netpanel.test_ping TO netpanel_query;
GRANT SELECT ON netpanel.test_jitter TO netpanel_query;
GRANT SELECT ON netpanel.test_latency TO netpanel_query;
GRANT SELECT ON netpanel.test_webget TO netpanel_query;
GRANT SELECT ON netpanel.test_youtube TO netpanel_query;
GRANT SELECT ON netpanel.test_network_usage TO netpanel_query;
GRANT SELECT ON netpanel.test_traceroute TO netpanel_query;
GRANT SELECT ON netpanel.test_mobile_download TO netpanel_query;
GRANT SELECT ON netpanel.test_mobile_latency TO netpanel_query;
GRANT SELECT ON netpanel.test_mobile_upload TO netpanel_query;
GRANT SELECT ON netpanel.test_mobile_www TO netpanel_query;
GRANT SELECT ON netpanel.test_mobile_youtube TO netpanel_query;
GRANT SELECT ON netpanel.last_rows_httpget TO netpanel_query;
GRANT SELECT ON netpanel.last_rows_httppost TO netpanel_query;
GRANT SELECT ON netpanel.last_rows_traceroute TO netpanel_query;

-- The tables of a cluster's shards, which the ones above stand for; a single server has none of them.
GRANT SELECT ON netpanel.test_httpget_shard TO netpanel_query;
GRANT SELECT ON netpanel.test_httppost_shard TO netpanel_query;
GRANT SELECT ON netpanel.test_dns_shard TO netpanel_query;
GRANT SELECT ON netpanel.test_netflix_shard TO netpanel_query;
GRANT SELECT ON netpanel.test_ping_shard TO netpanel_query;
GRANT SELECT ON netpanel.test_jitter_shard TO netpanel_query;
GRANT SELECT ON netpanel.test_latency_shard TO netpanel_query;
GRANT SELECT ON netpanel.test_webget_shard TO netpanel_query;
GRANT SELECT ON netpanel.test_youtube_shard TO netpanel_query;
GRANT SELECT ON netpanel.test_network_usage_shard TO netpanel_query;
GRANT SELECT ON netpanel.test_traceroute_shard TO netpanel_query;
GRANT SELECT ON netpanel.test_mobile_download_shard TO netpanel_query;
GRANT SELECT ON netpanel.test_mobile_latency_shard TO netpanel_query;
GRANT SELECT ON netpanel.test_mobile_upload_shard TO netpanel_query;
GRANT SELECT ON netpanel.test_mobile_www_shard TO netpanel_query;
GRANT SELECT ON netpanel.test_mobile_youtube_shard TO netpanel_query;
GRANT SELECT ON netpanel.last_rows_httpget_shard TO netpanel_query;
GRANT SELECT ON netpanel.last_rows_httppost_shard TO netpanel_query;
GRANT SELECT ON netpanel.last_rows_traceroute_shard TO netpanel_query;

-- Which custom keys an organisation has, and the values of metadata for auto-complete.
GRANT SELECT ON netpanel.agent_metadata_snapshot TO netpanel_query;
-- The version of the metadata: it is in the manifest of an export, and tells when to look at the keys again.
GRANT SELECT ON netpanel.agent_metadata_version TO netpanel_query;
-- GET /filters/{id}/values.
GRANT SELECT ON netpanel.filter_values TO netpanel_query;
-- The metadata as of a result, and the household's own clock.
GRANT dictGet ON netpanel.agent_metadata TO netpanel_query;
GRANT dictGet ON netpanel.timezone_offset TO netpanel_query;
-- What was asked by whom; not to be read by who writes it.
GRANT INSERT ON netpanel.query_audit TO netpanel_query;
-- Whether ClickHouse is ready, and what a query would read (/explain). Both show no more than the tables above.
GRANT SELECT ON system.tables TO netpanel_query;
GRANT SELECT ON system.columns TO netpanel_query;
-- KILL QUERY looks there; a user sees and ends no queries but his own.
GRANT SELECT ON system.processes TO netpanel_query;

-- Each organisation has an allowance of its own: the service sends the organisation as quota_key. Generous,
-- against a runaway program rather than a busy analyst; system.quotas_usage shows who uses how much.
CREATE QUOTA IF NOT EXISTS netpanel_organisation KEYED BY client_key
    FOR INTERVAL 1 hour MAX queries = 20000, errors = 2000, read_rows = 2000000000000, execution_time = 36000
    TO netpanel_query;
