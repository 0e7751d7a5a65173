-- Analysts who query ClickHouse directly or by a BI tool: they read the views results_<test> and metric_<key> of
-- their own organisation, and change nothing. docs/analysts.md describes the views.
-- Where the database is not called netpanel, replace the name before running this.

CREATE SETTINGS PROFILE IF NOT EXISTS netpanel_analyst SETTINGS
    -- Reads only; 2 and not 1, since HTTP drivers send settings of their own with each query.
    readonly = 2 CONST,
    allow_introspection_functions = 0 CONST,
    max_execution_time = 60 MIN 1 MAX 600,
    max_memory_usage = 4294967296 MIN 1 MAX 8589934592,
    max_rows_to_read = 1000000000 MIN 1 MAX 10000000000,
    max_result_rows = 1000000 MIN 1 MAX 10000000,
    max_threads MAX 16,
    max_concurrent_queries_for_user = 8 CONST,
    timeout_overflow_mode = 'throw' CONST,
    read_overflow_mode = 'throw' CONST,
    result_overflow_mode = 'throw' CONST;

CREATE ROLE IF NOT EXISTS netpanel_analyst SETTINGS PROFILE 'netpanel_analyst';

-- The views, and the tables and dictionaries that they read with the rights of the user who queries them.
GRANT SELECT ON netpanel.results_* TO netpanel_analyst;
GRANT SELECT ON netpanel.metric_* TO netpanel_analyst;
GRANT SELECT ON netpanel.test_* TO netpanel_analyst;
GRANT SELECT ON netpanel.last_rows_* TO netpanel_analyst;
GRANT dictGet ON netpanel.agent_metadata TO netpanel_analyst;
GRANT dictGet ON netpanel.timezone_offset TO netpanel_analyst;

-- An analyst sees no row until a policy of an organisation allows it. The policies of one user are alternatives.
CREATE ROW POLICY IF NOT EXISTS netpanel_analyst ON netpanel.* USING 0 TO netpanel_analyst;

-- For each organisation a role, and for each analyst a user (the id is that of `netpanel org list --json`):
--
--   CREATE ROLE netpanel_analyst_acme;
--   GRANT netpanel_analyst TO netpanel_analyst_acme;
--   CREATE ROW POLICY netpanel_analyst_acme ON netpanel.* USING organisation_id = 1 TO netpanel_analyst_acme;
--   CREATE USER jo IDENTIFIED BY '…' DEFAULT ROLE netpanel_analyst_acme;
--   GRANT netpanel_analyst_acme TO jo;
