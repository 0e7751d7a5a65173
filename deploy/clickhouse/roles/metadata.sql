-- The metadata service: publishes metadata, drops old publications, reloads and checks the dictionary, and removes data
-- that is older than its retention period. It cannot read results or the audit.
-- If the database is not named netpanel, replace the name before running this.

CREATE SETTINGS PROFILE IF NOT EXISTS netpanel_metadata SETTINGS
    allow_ddl = 1,
    allow_introspection_functions = 0 CONST,
    -- A snapshot of a million agents takes seconds.
    max_execution_time = 600 MIN 1 MAX 3600,
    max_memory_usage = 8589934592 MIN 1 MAX 17179869184;

CREATE ROLE IF NOT EXISTS netpanel_metadata SETTINGS PROFILE 'netpanel_metadata';

-- Writes a publication, checks it, and drops old ones: DROP PARTITION needs ALTER DELETE.
GRANT SELECT, INSERT, ALTER DELETE ON netpanel.agent_metadata_period TO netpanel_metadata;
-- The publications in use.
GRANT SELECT, INSERT ON netpanel.agent_metadata_publication TO netpanel_metadata;
-- Drops the snapshots of 0.1.0 when they are replaced.
GRANT SELECT, ALTER DELETE ON netpanel.agent_metadata_snapshot TO netpanel_metadata;
GRANT SELECT, ALTER DELETE ON netpanel.agent_metadata_version TO netpanel_metadata;
-- Retention drops months of results and of the audit, and the records of old loads.
GRANT ALTER DELETE ON netpanel.test_* TO netpanel_metadata;
GRANT ALTER DELETE ON netpanel.last_rows_* TO netpanel_metadata;
GRANT ALTER DELETE ON netpanel.query_audit TO netpanel_metadata;
GRANT SELECT, ALTER DELETE ON netpanel.loaded_blocks TO netpanel_metadata;
-- Checks the dictionary after a reload; netpanel snapshot --verify reads all of it.
GRANT SELECT, dictGet, SHOW DICTIONARIES ON netpanel.agent_metadata TO netpanel_metadata;
GRANT SYSTEM RELOAD DICTIONARY ON *.* TO netpanel_metadata;
-- Existing publications and the state of the dictionary.
GRANT SELECT ON system.parts TO netpanel_metadata;
GRANT SELECT ON system.dictionaries TO netpanel_metadata;
-- The table function dictionary(), which reads a dictionary's rows.
GRANT CREATE TEMPORARY TABLE ON *.* TO netpanel_metadata;
