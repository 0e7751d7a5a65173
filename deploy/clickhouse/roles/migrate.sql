-- The migrations: create what is in netpanel, and nothing outside it. The dictionaries read their tables as
-- this user, from the server itself.
-- Where the database is not called netpanel, replace the name before running this.

CREATE ROLE IF NOT EXISTS netpanel_migrate;

GRANT SELECT, INSERT, ALTER, CREATE DATABASE, CREATE TABLE, CREATE VIEW, CREATE DICTIONARY, DROP TABLE, DROP VIEW, DROP DICTIONARY, dictGet, SHOW ON netpanel.* TO netpanel_migrate;
GRANT SYSTEM RELOAD DICTIONARY ON *.* TO netpanel_migrate;
