-- netpanel load and netpanel load-mba: write results and remember which blocks were written. The role reads no
-- result, no metadata and no audit. (Agents are registered in Postgres.)
-- Where the database is not called netpanel, replace the name before running this.

CREATE SETTINGS PROFILE IF NOT EXISTS netpanel_load SETTINGS
    allow_ddl = 0 CONST,
    allow_introspection_functions = 0 CONST,
    -- A block is some megabytes; a minute is slow, an hour a fault.
    max_execution_time = 600 MIN 1 MAX 3600,
    max_memory_usage = 4294967296 MIN 1 MAX 17179869184;

CREATE ROLE IF NOT EXISTS netpanel_load SETTINGS PROFILE 'netpanel_load';

-- Results. filter_values and last_rows_* need no grant: the materialized views that fill them have the rights of the
-- user of the migrations (DEFINER).
GRANT INSERT ON netpanel.test_httpget TO netpanel_load;
GRANT INSERT ON netpanel.test_httppost TO netpanel_load;
GRANT INSERT ON netpanel.test_dns TO netpanel_load;
GRANT INSERT ON netpanel.test_netflix TO netpanel_load;
GRANT INSERT ON netpanel.test_ping TO netpanel_load;
GRANT INSERT ON netpanel.test_jitter TO netpanel_load;
GRANT INSERT ON netpanel.test_latency TO netpanel_load;
GRANT INSERT ON netpanel.test_webget TO netpanel_load;
GRANT INSERT ON netpanel.test_youtube TO netpanel_load;
GRANT INSERT ON netpanel.test_network_usage TO netpanel_load;
GRANT INSERT ON netpanel.test_traceroute TO netpanel_load;
GRANT INSERT ON netpanel.test_mobile_download TO netpanel_load;
GRANT INSERT ON netpanel.test_mobile_latency TO netpanel_load;
GRANT INSERT ON netpanel.test_mobile_upload TO netpanel_load;
GRANT INSERT ON netpanel.test_mobile_www TO netpanel_load;
GRANT INSERT ON netpanel.test_mobile_youtube TO netpanel_load;

-- The tables of a cluster's shards, to which the ones above hand their rows; a single server has none of them.
GRANT INSERT ON netpanel.test_httpget_shard TO netpanel_load;
GRANT INSERT ON netpanel.test_httppost_shard TO netpanel_load;
GRANT INSERT ON netpanel.test_dns_shard TO netpanel_load;
GRANT INSERT ON netpanel.test_netflix_shard TO netpanel_load;
GRANT INSERT ON netpanel.test_ping_shard TO netpanel_load;
GRANT INSERT ON netpanel.test_jitter_shard TO netpanel_load;
GRANT INSERT ON netpanel.test_latency_shard TO netpanel_load;
GRANT INSERT ON netpanel.test_webget_shard TO netpanel_load;
GRANT INSERT ON netpanel.test_youtube_shard TO netpanel_load;
GRANT INSERT ON netpanel.test_network_usage_shard TO netpanel_load;
GRANT INSERT ON netpanel.test_traceroute_shard TO netpanel_load;
GRANT INSERT ON netpanel.test_mobile_download_shard TO netpanel_load;
GRANT INSERT ON netpanel.test_mobile_latency_shard TO netpanel_load;
GRANT INSERT ON netpanel.test_mobile_upload_shard TO netpanel_load;
GRANT INSERT ON netpanel.test_mobile_www_shard TO netpanel_load;
GRANT INSERT ON netpanel.test_mobile_youtube_shard TO netpanel_load;

-- Whether a block is there already, and that it is there now.
GRANT SELECT, INSERT ON netpanel.loaded_blocks TO netpanel_load;
-- Which tests there are and which columns they have, to check a file before anything is loaded. Both show no more
-- than the tables above.
GRANT SELECT ON system.tables TO netpanel_load;
GRANT SELECT ON system.columns TO netpanel_load;
