-- For analysts who query ClickHouse directly or with a BI tool: read-only access to the views results_<test> and
-- metric_<key> of one organisation. docs/analysts.md describes the views.
-- If the database is not named netpanel, replace the name before running this.

CREATE SETTINGS PROFILE IF NOT EXISTS netpanel_analyst SETTINGS
    -- Read-only. 2 instead of 1, because HTTP drivers send settings with each query.
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

-- The views look up metadata with the rights of the user who migrated (DEFINER). Never grant dictGet: row policies do not
-- apply to dictionaries, which have the metadata of all organisations.
GRANT SELECT ON netpanel.results_* TO netpanel_analyst;
GRANT SELECT ON netpanel.metric_* TO netpanel_analyst;
-- Every stored row, without metadata, and the sets of agents. The row policy filters these tables.
GRANT SELECT ON netpanel.test_* TO netpanel_analyst;
GRANT SELECT ON netpanel.last_rows_* TO netpanel_analyst;
GRANT SELECT ON netpanel.agent_set_* TO netpanel_analyst;

-- An analyst sees no rows until a policy of an organisation allows it. The policies of a user are combined with OR. A
-- policy on netpanel.* filters views as well as tables.
CREATE ROW POLICY IF NOT EXISTS netpanel_analyst ON netpanel.* USING 0 TO netpanel_analyst;

-- One role per organisation and one user per analyst (the id is in the output of `netpanel org list --json`):
--
--   CREATE ROLE netpanel_analyst_acme;
--   GRANT netpanel_analyst TO netpanel_analyst_acme;
--   CREATE ROW POLICY netpanel_analyst_acme ON netpanel.* USING organisation_id = 1 TO netpanel_analyst_acme;
--   CREATE USER jo IDENTIFIED BY '…' DEFAULT ROLE netpanel_analyst_acme;
--   GRANT netpanel_analyst_acme TO jo;
