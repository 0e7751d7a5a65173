-- The metadata service: publishes metadata, drops old publications, reloads and checks the dictionary, and removes data
-- that is older than its retention period. Erases agents: it counts and deletes their results, but cannot read them.
-- If the database is not named netpanel, replace the name before running this. `make generate` fills in the tables of
-- results after each line "-- each".

CREATE SETTINGS PROFILE IF NOT EXISTS netpanel_metadata SETTINGS
    allow_ddl = 1,
    allow_introspection_functions = 0 CONST,
    -- A snapshot of a million agents takes seconds.
    max_execution_time = 600 MIN 1 MAX 3600,
    max_memory_usage = 8589934592 MIN 1 MAX 17179869184;

CREATE ROLE IF NOT EXISTS netpanel_metadata SETTINGS PROFILE 'netpanel_metadata';

-- Writes a publication, checks it, and drops old ones: DROP PARTITION needs ALTER DELETE.
GRANT SELECT, INSERT, ALTER DELETE ON netpanel.agent_metadata_period TO netpanel_metadata;
GRANT SELECT, INSERT, ALTER DELETE ON netpanel.agent_metadata_change TO netpanel_metadata;
-- The publications in use.
GRANT SELECT, INSERT ON netpanel.agent_metadata_publication TO netpanel_metadata;
GRANT SELECT, INSERT ON netpanel.agent_metadata_change_publication TO netpanel_metadata;
-- From which moment on each published version changes metadata.
GRANT INSERT ON netpanel.metadata_version_effect TO netpanel_metadata;
-- Folds changes into a snapshot. The view reads the tables.
GRANT SELECT ON netpanel.agent_metadata_current TO netpanel_metadata;
GRANT SELECT ON netpanel.agent_metadata_base TO netpanel_metadata;
GRANT SELECT ON netpanel.agent_metadata_changed TO netpanel_metadata;
-- Retention drops months of results (below) and of the audit, and the records of old loads.
GRANT ALTER DELETE ON netpanel.query_audit TO netpanel_metadata;
GRANT SELECT, ALTER DELETE ON netpanel.loaded_blocks TO netpanel_metadata;
-- Erasure and retention give results a new version, and erasure removes stored answers.
GRANT INSERT ON netpanel.data_versions TO netpanel_metadata;
GRANT SELECT(organisation_id), ALTER DELETE ON netpanel.stored_answers TO netpanel_metadata;
-- Checks the dictionary after a reload; netpanel snapshot --verify reads all of it.
GRANT SELECT, dictGet, SHOW DICTIONARIES ON netpanel.agent_metadata TO netpanel_metadata;
GRANT SELECT, dictGet, SHOW DICTIONARIES ON netpanel.agent_metadata_changes TO netpanel_metadata;
GRANT SHOW DICTIONARIES ON netpanel.custom_value TO netpanel_metadata;
GRANT SYSTEM RELOAD DICTIONARY ON *.* TO netpanel_metadata;
-- Existing publications and the state of the dictionary.
GRANT SELECT ON system.parts TO netpanel_metadata;
GRANT SELECT ON system.dictionaries TO netpanel_metadata;
-- The table function dictionary(), which reads a dictionary's rows.
GRANT CREATE TEMPORARY TABLE ON *.* TO netpanel_metadata;

-- Erasing agents: counts and deletes their results.
-- each test_, last_rows_: GRANT SELECT(organisation_id, agent_key), ALTER DELETE ON netpanel.TABLE TO netpanel_metadata;
GRANT SELECT(organisation_id, agent_key), ALTER DELETE ON netpanel.test_httpget TO netpanel_metadata;
GRANT SELECT(organisation_id, agent_key), ALTER DELETE ON netpanel.test_httppost TO netpanel_metadata;
GRANT SELECT(organisation_id, agent_key), ALTER DELETE ON netpanel.test_dns TO netpanel_metadata;
GRANT SELECT(organisation_id, agent_key), ALTER DELETE ON netpanel.test_netflix TO netpanel_metadata;
GRANT SELECT(organisation_id, agent_key), ALTER DELETE ON netpanel.test_ping TO netpanel_metadata;
GRANT SELECT(organisation_id, agent_key), ALTER DELETE ON netpanel.test_jitter TO netpanel_metadata;
GRANT SELECT(organisation_id, agent_key), ALTER DELETE ON netpanel.test_latency TO netpanel_metadata;
GRANT SELECT(organisation_id, agent_key), ALTER DELETE ON netpanel.test_webget TO netpanel_metadata;
GRANT SELECT(organisation_id, agent_key), ALTER DELETE ON netpanel.test_youtube TO netpanel_metadata;
GRANT SELECT(organisation_id, agent_key), ALTER DELETE ON netpanel.test_network_usage TO netpanel_metadata;
GRANT SELECT(organisation_id, agent_key), ALTER DELETE ON netpanel.test_traceroute TO netpanel_metadata;
GRANT SELECT(organisation_id, agent_key), ALTER DELETE ON netpanel.test_udpcloss TO netpanel_metadata;
GRANT SELECT(organisation_id, agent_key), ALTER DELETE ON netpanel.test_panel TO netpanel_metadata;
GRANT SELECT(organisation_id, agent_key), ALTER DELETE ON netpanel.test_cells TO netpanel_metadata;
GRANT SELECT(organisation_id, agent_key), ALTER DELETE ON netpanel.test_mobile_download TO netpanel_metadata;
GRANT SELECT(organisation_id, agent_key), ALTER DELETE ON netpanel.test_mobile_latency TO netpanel_metadata;
GRANT SELECT(organisation_id, agent_key), ALTER DELETE ON netpanel.test_mobile_upload TO netpanel_metadata;
GRANT SELECT(organisation_id, agent_key), ALTER DELETE ON netpanel.test_mobile_www TO netpanel_metadata;
GRANT SELECT(organisation_id, agent_key), ALTER DELETE ON netpanel.test_mobile_youtube TO netpanel_metadata;
GRANT SELECT(organisation_id, agent_key), ALTER DELETE ON netpanel.last_rows_httpget TO netpanel_metadata;
GRANT SELECT(organisation_id, agent_key), ALTER DELETE ON netpanel.last_rows_httppost TO netpanel_metadata;
GRANT SELECT(organisation_id, agent_key), ALTER DELETE ON netpanel.last_rows_traceroute TO netpanel_metadata;
GRANT SELECT(organisation_id, agent_key), ALTER DELETE ON netpanel.test_httpget_shard TO netpanel_metadata;
GRANT SELECT(organisation_id, agent_key), ALTER DELETE ON netpanel.test_httppost_shard TO netpanel_metadata;
GRANT SELECT(organisation_id, agent_key), ALTER DELETE ON netpanel.test_dns_shard TO netpanel_metadata;
GRANT SELECT(organisation_id, agent_key), ALTER DELETE ON netpanel.test_netflix_shard TO netpanel_metadata;
GRANT SELECT(organisation_id, agent_key), ALTER DELETE ON netpanel.test_ping_shard TO netpanel_metadata;
GRANT SELECT(organisation_id, agent_key), ALTER DELETE ON netpanel.test_jitter_shard TO netpanel_metadata;
GRANT SELECT(organisation_id, agent_key), ALTER DELETE ON netpanel.test_latency_shard TO netpanel_metadata;
GRANT SELECT(organisation_id, agent_key), ALTER DELETE ON netpanel.test_webget_shard TO netpanel_metadata;
GRANT SELECT(organisation_id, agent_key), ALTER DELETE ON netpanel.test_youtube_shard TO netpanel_metadata;
GRANT SELECT(organisation_id, agent_key), ALTER DELETE ON netpanel.test_network_usage_shard TO netpanel_metadata;
GRANT SELECT(organisation_id, agent_key), ALTER DELETE ON netpanel.test_traceroute_shard TO netpanel_metadata;
GRANT SELECT(organisation_id, agent_key), ALTER DELETE ON netpanel.test_udpcloss_shard TO netpanel_metadata;
GRANT SELECT(organisation_id, agent_key), ALTER DELETE ON netpanel.test_panel_shard TO netpanel_metadata;
GRANT SELECT(organisation_id, agent_key), ALTER DELETE ON netpanel.test_cells_shard TO netpanel_metadata;
GRANT SELECT(organisation_id, agent_key), ALTER DELETE ON netpanel.test_mobile_download_shard TO netpanel_metadata;
GRANT SELECT(organisation_id, agent_key), ALTER DELETE ON netpanel.test_mobile_latency_shard TO netpanel_metadata;
GRANT SELECT(organisation_id, agent_key), ALTER DELETE ON netpanel.test_mobile_upload_shard TO netpanel_metadata;
GRANT SELECT(organisation_id, agent_key), ALTER DELETE ON netpanel.test_mobile_www_shard TO netpanel_metadata;
GRANT SELECT(organisation_id, agent_key), ALTER DELETE ON netpanel.test_mobile_youtube_shard TO netpanel_metadata;
GRANT SELECT(organisation_id, agent_key), ALTER DELETE ON netpanel.last_rows_httpget_shard TO netpanel_metadata;
GRANT SELECT(organisation_id, agent_key), ALTER DELETE ON netpanel.last_rows_httppost_shard TO netpanel_metadata;
GRANT SELECT(organisation_id, agent_key), ALTER DELETE ON netpanel.last_rows_traceroute_shard TO netpanel_metadata;
-- end

-- Erasing agents: the copies of earlier metadata that the query service makes for knownAt.
GRANT SELECT(organisation_id, agent_key), ALTER DELETE ON netpanel.agent_metadata_known_at TO netpanel_metadata;

-- Erasing agents: removes them from sets.
GRANT SELECT(organisation_id, agent_key), ALTER DELETE ON netpanel.agent_set_member TO netpanel_metadata;

-- Erasing agents: removes their replicate weights.
GRANT SELECT(organisation_id, agent_key), ALTER DELETE ON netpanel.weight_replicate TO netpanel_metadata;

-- Erasing agents: finds and replaces requests that name them.
GRANT SELECT(organisation_id, query_id, request) ON netpanel.query_audit TO netpanel_metadata;
GRANT ALTER UPDATE(request) ON netpanel.query_audit TO netpanel_metadata;

-- Erasing agents: the tables that have rows of agents, and deletions in progress. They show only the tables above.
GRANT SELECT ON system.tables TO netpanel_metadata;
GRANT SELECT ON system.columns TO netpanel_metadata;
GRANT SELECT ON system.mutations TO netpanel_metadata;
