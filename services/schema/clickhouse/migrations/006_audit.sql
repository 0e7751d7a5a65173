-- The audit has every request of the data interface, and netpanel removes it by whole months when it is older than
-- RETENTION_AUDIT_DAYS. The TTL of 13 months would end a longer period. A TTL cannot be removed twice, so it stays, longer
-- than a period that anyone needs.
ALTER TABLE query_audit MODIFY TTL toDateTime(occurred_at) + INTERVAL 20 YEAR;

ALTER TABLE query_audit MODIFY COMMENT 'Requests of the data interface, exports and downloads, kept RETENTION_AUDIT_DAYS';

ALTER TABLE query_audit COMMENT COLUMN organisation_id '0 for requests without a valid token: one row per address, status and minute';

ALTER TABLE query_audit COMMENT COLUMN token_id 'Of the token in Postgres, never the token; 0 for a download by link';

ALTER TABLE query_audit COMMENT COLUMN query_id 'Request id, the query_id of the query it ran, or the id of the export';

ALTER TABLE query_audit COMMENT COLUMN request 'Request body or parameters as JSON; over 64 KiB with shortened lists and the hash of the whole';
