-- The migrations: full rights inside the database netpanel. The dictionaries read their tables as this user.
-- If the database is not named netpanel, replace the name before running this.

CREATE ROLE IF NOT EXISTS netpanel_migrate;

-- CREATE, ALTER and DROP for the migrations, the generated views and the temporary tables of make sample-panel;
-- SELECT and INSERT for the records of migrations, the time zones, the sample panel, the dictionaries and the
-- materialized views, which fill filter_values and last_rows_* with the rights of this user (DEFINER).
GRANT SELECT, INSERT, ALTER, CREATE DATABASE, CREATE TABLE, CREATE VIEW, CREATE DICTIONARY, DROP TABLE, DROP VIEW, DROP DICTIONARY, dictGet, SHOW ON netpanel.* TO netpanel_migrate;
-- To publish new time zones.
GRANT SYSTEM RELOAD DICTIONARY ON *.* TO netpanel_migrate;
-- Existing tables.
GRANT SELECT ON system.tables TO netpanel_migrate;
-- netpanel doctor and netpanel snapshot --verify: the state of the dictionaries.
GRANT SELECT ON system.dictionaries TO netpanel_migrate;
-- netpanel doctor: damaged parts, and the table function dictionary().
GRANT SELECT ON system.detached_parts TO netpanel_migrate;
GRANT CREATE TEMPORARY TABLE ON *.* TO netpanel_migrate;
