-- The migrations: create what is in netpanel, and nothing outside it. The dictionaries read their tables as
-- this user, from the server itself.
-- Where the database is not called netpanel, replace the name before running this.

CREATE ROLE IF NOT EXISTS netpanel_migrate;

-- CREATE, ALTER and DROP for the migrations, the generated views and the temporary tables of netpanel seed; SELECT
-- and INSERT for the records of migrations, the time zones, the sample, the dictionaries and the materialized views,
-- which fill filter_values and last_rows_* with this user's rights (DEFINER).
GRANT SELECT, INSERT, ALTER, CREATE DATABASE, CREATE TABLE, CREATE VIEW, CREATE DICTIONARY, DROP TABLE, DROP VIEW, DROP DICTIONARY, dictGet, SHOW ON netpanel.* TO netpanel_migrate;
-- After new time zones.
GRANT SYSTEM RELOAD DICTIONARY ON *.* TO netpanel_migrate;
-- Which tables there are already.
GRANT SELECT ON system.tables TO netpanel_migrate;
-- netpanel doctor and netpanel snapshot --verify: the dictionaries' state, and dictionary(), which reads their rows.
GRANT SELECT ON system.dictionaries TO netpanel_migrate;
-- netpanel doctor: damaged parts.
GRANT SELECT ON system.detached_parts TO netpanel_migrate;
GRANT CREATE TEMPORARY TABLE ON *.* TO netpanel_migrate;
