-- The query service: reads results and metadata, and writes its audit. Functions that access other servers or
-- files (url, file, s3, remote and others) need a grant, which this role does not have.
-- If the database is not named netpanel, replace the name before running this. `make generate` fills in the tables of
-- results after each line "-- each".

CREATE SETTINGS PROFILE IF NOT EXISTS netpanel_query SETTINGS
    -- Not readonly, because the role writes the audit and copies of metadata; the grants below limit writes. The service sends
    -- readonly = 2 with every query of a client.
    allow_ddl = 0 CONST,
    allow_introspection_functions = 0 CONST,
    -- The service sends its own limits, which cannot exceed MAX.
    max_execution_time = 60 MIN 1 MAX 3600,
    max_memory_usage = 4294967296 MIN 1 MAX 17179869184,
    max_rows_to_read = 2000000000 MIN 1 MAX 100000000000,
    max_result_rows = 5000000 MIN 1 MAX 5000000000,
    max_threads MAX 64,
    max_concurrent_queries_for_user = 400 CONST,
    -- 'break' would return a partial result as if it were complete.
    timeout_overflow_mode = 'throw' CONST,
    read_overflow_mode = 'throw' CONST,
    result_overflow_mode = 'throw' CONST,
    -- On a cluster: a missing shard is an error, not a smaller result.
    skip_unavailable_shards = 0 CONST;

CREATE ROLE IF NOT EXISTS netpanel_query SETTINGS PROFILE 'netpanel_query';

-- POST /test_data, its exports and the estimates of /explain read the results.
-- each test_, last_rows_: GRANT SELECT ON netpanel.TABLE TO netpanel_query;
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
GRANT SELECT ON netpanel.test_udpcloss TO netpanel_query;
GRANT SELECT ON netpanel.test_panel TO netpanel_query;
GRANT SELECT ON netpanel.test_cells TO netpanel_query;
GRANT SELECT ON netpanel.test_mobile_download TO netpanel_query;
GRANT SELECT ON netpanel.test_mobile_latency TO netpanel_query;
GRANT SELECT ON netpanel.test_mobile_upload TO netpanel_query;
GRANT SELECT ON netpanel.test_mobile_www TO netpanel_query;
GRANT SELECT ON netpanel.test_mobile_youtube TO netpanel_query;
GRANT SELECT ON netpanel.last_rows_httpget TO netpanel_query;
GRANT SELECT ON netpanel.last_rows_httppost TO netpanel_query;
GRANT SELECT ON netpanel.last_rows_traceroute TO netpanel_query;
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
GRANT SELECT ON netpanel.test_udpcloss_shard TO netpanel_query;
GRANT SELECT ON netpanel.test_panel_shard TO netpanel_query;
GRANT SELECT ON netpanel.test_cells_shard TO netpanel_query;
GRANT SELECT ON netpanel.test_mobile_download_shard TO netpanel_query;
GRANT SELECT ON netpanel.test_mobile_latency_shard TO netpanel_query;
GRANT SELECT ON netpanel.test_mobile_upload_shard TO netpanel_query;
GRANT SELECT ON netpanel.test_mobile_www_shard TO netpanel_query;
GRANT SELECT ON netpanel.test_mobile_youtube_shard TO netpanel_query;
GRANT SELECT ON netpanel.last_rows_httpget_shard TO netpanel_query;
GRANT SELECT ON netpanel.last_rows_httppost_shard TO netpanel_query;
GRANT SELECT ON netpanel.last_rows_traceroute_shard TO netpanel_query;
-- end

-- POST /metric_data, its /explain and exports read the results with the metadata of the household when the test ran. The
-- views look it up with the rights of the user who migrated.
-- each results_: GRANT SELECT ON netpanel.TABLE TO netpanel_query;
GRANT SELECT ON netpanel.results_httpget TO netpanel_query;
GRANT SELECT ON netpanel.results_httppost TO netpanel_query;
GRANT SELECT ON netpanel.results_dns TO netpanel_query;
GRANT SELECT ON netpanel.results_netflix TO netpanel_query;
GRANT SELECT ON netpanel.results_ping TO netpanel_query;
GRANT SELECT ON netpanel.results_jitter TO netpanel_query;
GRANT SELECT ON netpanel.results_latency TO netpanel_query;
GRANT SELECT ON netpanel.results_webget TO netpanel_query;
GRANT SELECT ON netpanel.results_youtube TO netpanel_query;
GRANT SELECT ON netpanel.results_network_usage TO netpanel_query;
GRANT SELECT ON netpanel.results_traceroute TO netpanel_query;
GRANT SELECT ON netpanel.results_udpcloss TO netpanel_query;
GRANT SELECT ON netpanel.results_panel TO netpanel_query;
GRANT SELECT ON netpanel.results_cells TO netpanel_query;
GRANT SELECT ON netpanel.results_mobile_download TO netpanel_query;
GRANT SELECT ON netpanel.results_mobile_latency TO netpanel_query;
GRANT SELECT ON netpanel.results_mobile_upload TO netpanel_query;
GRANT SELECT ON netpanel.results_mobile_www TO netpanel_query;
GRANT SELECT ON netpanel.results_mobile_youtube TO netpanel_query;
GRANT SELECT ON netpanel.results_httpget_shard TO netpanel_query;
GRANT SELECT ON netpanel.results_httppost_shard TO netpanel_query;
GRANT SELECT ON netpanel.results_dns_shard TO netpanel_query;
GRANT SELECT ON netpanel.results_netflix_shard TO netpanel_query;
GRANT SELECT ON netpanel.results_ping_shard TO netpanel_query;
GRANT SELECT ON netpanel.results_jitter_shard TO netpanel_query;
GRANT SELECT ON netpanel.results_latency_shard TO netpanel_query;
GRANT SELECT ON netpanel.results_webget_shard TO netpanel_query;
GRANT SELECT ON netpanel.results_youtube_shard TO netpanel_query;
GRANT SELECT ON netpanel.results_network_usage_shard TO netpanel_query;
GRANT SELECT ON netpanel.results_traceroute_shard TO netpanel_query;
GRANT SELECT ON netpanel.results_udpcloss_shard TO netpanel_query;
GRANT SELECT ON netpanel.results_panel_shard TO netpanel_query;
GRANT SELECT ON netpanel.results_cells_shard TO netpanel_query;
GRANT SELECT ON netpanel.results_mobile_download_shard TO netpanel_query;
GRANT SELECT ON netpanel.results_mobile_latency_shard TO netpanel_query;
GRANT SELECT ON netpanel.results_mobile_upload_shard TO netpanel_query;
GRANT SELECT ON netpanel.results_mobile_www_shard TO netpanel_query;
GRANT SELECT ON netpanel.results_mobile_youtube_shard TO netpanel_query;
-- end

-- The custom keys of an organisation, and metadata values for auto-complete. The view reads the tables.
GRANT SELECT ON netpanel.agent_metadata_current TO netpanel_query;
GRANT SELECT ON netpanel.agent_metadata_ids TO netpanel_query;
GRANT SELECT ON netpanel.agent_metadata_base TO netpanel_query;
GRANT SELECT ON netpanel.agent_metadata_changed TO netpanel_query;
GRANT SELECT ON netpanel.agent_metadata_period TO netpanel_query;
GRANT SELECT ON netpanel.agent_metadata_change TO netpanel_query;
-- The version of the metadata, for the manifest of an export and to refresh the cached keys.
GRANT SELECT ON netpanel.agent_metadata_publication TO netpanel_query;
GRANT SELECT ON netpanel.agent_metadata_change_publication TO netpanel_query;
GRANT SELECT ON netpanel.metadata_version_effect TO netpanel_query;
-- Requests with knownAt: copies of earlier metadata, which the service makes and reads.
GRANT SELECT, INSERT ON netpanel.agent_metadata_known_at TO netpanel_query;
GRANT SELECT, INSERT ON netpanel.agent_metadata_known_at_fill TO netpanel_query;
-- Filters by sets of agents. The views read the tables.
GRANT SELECT ON netpanel.agent_set_current TO netpanel_query;
GRANT SELECT ON netpanel.agent_set_agents TO netpanel_query;
GRANT SELECT ON netpanel.agent_set_copy TO netpanel_query;
GRANT SELECT ON netpanel.agent_set_member TO netpanel_query;
-- Replicate weights.
GRANT SELECT ON netpanel.weight_replicate TO netpanel_query;
GRANT SELECT ON netpanel.weight_replicate_copy TO netpanel_query;
-- GET /filters/{id}/values.
GRANT SELECT ON netpanel.filter_values TO netpanel_query;
-- The household's local time.
GRANT dictGet ON netpanel.timezone_span TO netpanel_query;
-- The value of a custom field, by a hash with a secret key. The role gets the hashes of one organisation, from the views
-- results_*, and cannot compute others. Never grant dictGet of agent_metadata and agent_metadata_changes: row policies do not
-- apply to dictionaries, which have the metadata of all organisations.
GRANT dictGet ON netpanel.custom_value TO netpanel_query;
-- What a response depends on, for its ETag and for stored answers, which the service makes and reads.
GRANT SELECT ON netpanel.data_versions TO netpanel_query;
GRANT SELECT, INSERT ON netpanel.stored_answers TO netpanel_query;
-- The audit: write only.
GRANT INSERT ON netpanel.query_audit TO netpanel_query;
-- Readiness of ClickHouse, and the estimate of /explain. Both show only the tables above.
GRANT SELECT ON system.tables TO netpanel_query;
GRANT SELECT ON system.columns TO netpanel_query;
-- KILL QUERY reads it. A user can see and kill only their own queries.
GRANT SELECT ON system.processes TO netpanel_query;

-- A second barrier between organisations. The service sends {"organisation":7} in the setting log_comment of every
-- query over the data of organisation 7. The server then returns only rows of that organisation, even if the WHERE clause
-- is wrong, and no rows without the setting. The primary key supports the filter, so a query reads the same rows with and
-- without it. Listed here is every table with a column organisation_id that the role may read; a test compares the
-- list with the schema. Exceptions are agent_metadata_publication and agent_metadata_change_publication: readiness reads
-- the newest publication of all organisations, and they contain row counts but no data of households.
CREATE ROW POLICY IF NOT EXISTS netpanel_query ON
    -- each test_, last_rows_, results_: netpanel.TABLE,
    netpanel.test_httpget,
    netpanel.test_httppost,
    netpanel.test_dns,
    netpanel.test_netflix,
    netpanel.test_ping,
    netpanel.test_jitter,
    netpanel.test_latency,
    netpanel.test_webget,
    netpanel.test_youtube,
    netpanel.test_network_usage,
    netpanel.test_traceroute,
    netpanel.test_udpcloss,
    netpanel.test_panel,
    netpanel.test_cells,
    netpanel.test_mobile_download,
    netpanel.test_mobile_latency,
    netpanel.test_mobile_upload,
    netpanel.test_mobile_www,
    netpanel.test_mobile_youtube,
    netpanel.last_rows_httpget,
    netpanel.last_rows_httppost,
    netpanel.last_rows_traceroute,
    netpanel.results_httpget,
    netpanel.results_httppost,
    netpanel.results_dns,
    netpanel.results_netflix,
    netpanel.results_ping,
    netpanel.results_jitter,
    netpanel.results_latency,
    netpanel.results_webget,
    netpanel.results_youtube,
    netpanel.results_network_usage,
    netpanel.results_traceroute,
    netpanel.results_udpcloss,
    netpanel.results_panel,
    netpanel.results_cells,
    netpanel.results_mobile_download,
    netpanel.results_mobile_latency,
    netpanel.results_mobile_upload,
    netpanel.results_mobile_www,
    netpanel.results_mobile_youtube,
    netpanel.test_httpget_shard,
    netpanel.test_httppost_shard,
    netpanel.test_dns_shard,
    netpanel.test_netflix_shard,
    netpanel.test_ping_shard,
    netpanel.test_jitter_shard,
    netpanel.test_latency_shard,
    netpanel.test_webget_shard,
    netpanel.test_youtube_shard,
    netpanel.test_network_usage_shard,
    netpanel.test_traceroute_shard,
    netpanel.test_udpcloss_shard,
    netpanel.test_panel_shard,
    netpanel.test_cells_shard,
    netpanel.test_mobile_download_shard,
    netpanel.test_mobile_latency_shard,
    netpanel.test_mobile_upload_shard,
    netpanel.test_mobile_www_shard,
    netpanel.test_mobile_youtube_shard,
    netpanel.last_rows_httpget_shard,
    netpanel.last_rows_httppost_shard,
    netpanel.last_rows_traceroute_shard,
    netpanel.results_httpget_shard,
    netpanel.results_httppost_shard,
    netpanel.results_dns_shard,
    netpanel.results_netflix_shard,
    netpanel.results_ping_shard,
    netpanel.results_jitter_shard,
    netpanel.results_latency_shard,
    netpanel.results_webget_shard,
    netpanel.results_youtube_shard,
    netpanel.results_network_usage_shard,
    netpanel.results_traceroute_shard,
    netpanel.results_udpcloss_shard,
    netpanel.results_panel_shard,
    netpanel.results_cells_shard,
    netpanel.results_mobile_download_shard,
    netpanel.results_mobile_latency_shard,
    netpanel.results_mobile_upload_shard,
    netpanel.results_mobile_www_shard,
    netpanel.results_mobile_youtube_shard,
    -- end
    netpanel.agent_metadata_ids,
    netpanel.agent_metadata_period,
    netpanel.agent_metadata_change,
    netpanel.metadata_version_effect,
    netpanel.agent_metadata_known_at,
    netpanel.agent_metadata_known_at_fill,
    netpanel.agent_set_copy,
    netpanel.agent_set_member,
    netpanel.weight_replicate,
    netpanel.weight_replicate_copy,
    netpanel.filter_values,
    netpanel.stored_answers
    USING organisation_id = JSONExtract(getSetting('log_comment'), 'organisation', 'Nullable(UInt32)')
    TO netpanel_query;

-- Organisation 0 has changes that concern all organisations.
CREATE ROW POLICY IF NOT EXISTS netpanel_query_versions ON netpanel.data_versions
    USING organisation_id IN (0, JSONExtract(getSetting('log_comment'), 'organisation', 'Nullable(UInt32)'))
    TO netpanel_query;

-- One quota per organisation: the service sends the organisation as quota_key with every query over its data, and the
-- name of the process with all others (readiness, audit, KILL QUERY). A query without a key counts for the user. The
-- limits are high enough for a busy analyst and stop a runaway program. system.quotas_usage shows the usage.
CREATE QUOTA IF NOT EXISTS netpanel_organisation KEYED BY client_key, user_name
    FOR INTERVAL 1 hour MAX queries = 20000, errors = 2000, read_rows = 2000000000000, execution_time = 36000
    TO netpanel_query;
