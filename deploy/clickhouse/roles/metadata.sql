-- The metadata service: writes snapshots, drops old ones, reloads the dictionary and looks at it. It sees no
-- results.
-- Where the database is not called netpanel, replace the name before running this.

CREATE SETTINGS PROFILE IF NOT EXISTS netpanel_metadata SETTINGS
    allow_ddl = 1,
    allow_introspection_functions = 0 CONST,
    -- A snapshot of a million agents takes seconds; an hour is a fault.
    max_execution_time = 600 MIN 1 MAX 3600,
    max_memory_usage = 8589934592 MIN 1 MAX 17179869184;

CREATE ROLE IF NOT EXISTS netpanel_metadata SETTINGS PROFILE 'netpanel_metadata';

-- Writes a snapshot, reads it back to check it, and drops the ones before: ALTER DELETE is what DROP PARTITION
-- asks for.
GRANT SELECT, INSERT, ALTER DELETE ON netpanel.agent_metadata_snapshot TO netpanel_metadata;
-- The version in use, and the step to the next.
GRANT SELECT, INSERT ON netpanel.agent_metadata_version TO netpanel_metadata;
-- What the dictionary holds after a reload; netpanel snapshot --verify asks it for every agent.
GRANT SELECT, dictGet, SHOW DICTIONARIES ON netpanel.agent_metadata TO netpanel_metadata;
GRANT SYSTEM RELOAD DICTIONARY ON *.* TO netpanel_metadata;
-- Which versions there are, and whether the dictionary was loaded.
GRANT SELECT ON system.parts TO netpanel_metadata;
GRANT SELECT ON system.dictionaries TO netpanel_metadata;
-- The table function dictionary(), which reads a dictionary's rows.
GRANT CREATE TEMPORARY TABLE ON *.* TO netpanel_metadata;
