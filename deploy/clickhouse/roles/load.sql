-- netpanel load and netpanel load-mba: write results, compare them with those that are stored, and record loaded blocks.
-- The role cannot read metadata and the audit. (Agents are registered in Postgres.)
-- If the database is not named netpanel, replace the name before running this. `make generate` fills in the tables of
-- results after each line "-- each".

CREATE SETTINGS PROFILE IF NOT EXISTS netpanel_load SETTINGS
    allow_ddl = 0 CONST,
    allow_introspection_functions = 0 CONST,
    -- A block has some megabytes and takes seconds.
    max_execution_time = 600 MIN 1 MAX 3600,
    max_memory_usage = 4294967296 MIN 1 MAX 17179869184;

CREATE ROLE IF NOT EXISTS netpanel_load SETTINGS PROFILE 'netpanel_load';

-- Results. filter_values and last_rows_* need no grant: their materialized views have the rights of the user of the
-- migrations (DEFINER).
-- each test_: GRANT INSERT, SELECT ON netpanel.TABLE TO netpanel_load;
GRANT INSERT, SELECT ON netpanel.test_httpget TO netpanel_load;
GRANT INSERT, SELECT ON netpanel.test_httppost TO netpanel_load;
GRANT INSERT, SELECT ON netpanel.test_dns TO netpanel_load;
GRANT INSERT, SELECT ON netpanel.test_netflix TO netpanel_load;
GRANT INSERT, SELECT ON netpanel.test_ping TO netpanel_load;
GRANT INSERT, SELECT ON netpanel.test_jitter TO netpanel_load;
GRANT INSERT, SELECT ON netpanel.test_latency TO netpanel_load;
GRANT INSERT, SELECT ON netpanel.test_webget TO netpanel_load;
GRANT INSERT, SELECT ON netpanel.test_youtube TO netpanel_load;
GRANT INSERT, SELECT ON netpanel.test_network_usage TO netpanel_load;
GRANT INSERT, SELECT ON netpanel.test_traceroute TO netpanel_load;
GRANT INSERT, SELECT ON netpanel.test_udpcloss TO netpanel_load;
GRANT INSERT, SELECT ON netpanel.test_panel TO netpanel_load;
GRANT INSERT, SELECT ON netpanel.test_cells TO netpanel_load;
GRANT INSERT, SELECT ON netpanel.test_mobile_download TO netpanel_load;
GRANT INSERT, SELECT ON netpanel.test_mobile_latency TO netpanel_load;
GRANT INSERT, SELECT ON netpanel.test_mobile_upload TO netpanel_load;
GRANT INSERT, SELECT ON netpanel.test_mobile_www TO netpanel_load;
GRANT INSERT, SELECT ON netpanel.test_mobile_youtube TO netpanel_load;
GRANT INSERT, SELECT ON netpanel.test_httpget_shard TO netpanel_load;
GRANT INSERT, SELECT ON netpanel.test_httppost_shard TO netpanel_load;
GRANT INSERT, SELECT ON netpanel.test_dns_shard TO netpanel_load;
GRANT INSERT, SELECT ON netpanel.test_netflix_shard TO netpanel_load;
GRANT INSERT, SELECT ON netpanel.test_ping_shard TO netpanel_load;
GRANT INSERT, SELECT ON netpanel.test_jitter_shard TO netpanel_load;
GRANT INSERT, SELECT ON netpanel.test_latency_shard TO netpanel_load;
GRANT INSERT, SELECT ON netpanel.test_webget_shard TO netpanel_load;
GRANT INSERT, SELECT ON netpanel.test_youtube_shard TO netpanel_load;
GRANT INSERT, SELECT ON netpanel.test_network_usage_shard TO netpanel_load;
GRANT INSERT, SELECT ON netpanel.test_traceroute_shard TO netpanel_load;
GRANT INSERT, SELECT ON netpanel.test_udpcloss_shard TO netpanel_load;
GRANT INSERT, SELECT ON netpanel.test_panel_shard TO netpanel_load;
GRANT INSERT, SELECT ON netpanel.test_cells_shard TO netpanel_load;
GRANT INSERT, SELECT ON netpanel.test_mobile_download_shard TO netpanel_load;
GRANT INSERT, SELECT ON netpanel.test_mobile_latency_shard TO netpanel_load;
GRANT INSERT, SELECT ON netpanel.test_mobile_upload_shard TO netpanel_load;
GRANT INSERT, SELECT ON netpanel.test_mobile_www_shard TO netpanel_load;
GRANT INSERT, SELECT ON netpanel.test_mobile_youtube_shard TO netpanel_load;
-- end

-- Checks for and records loaded blocks.
GRANT SELECT, INSERT ON netpanel.loaded_blocks TO netpanel_load;
-- The table function format(), which reads the rows of a file that are compared with stored results.
GRANT CREATE TEMPORARY TABLE ON *.* TO netpanel_load;
