ALTER TABLE query_audit MODIFY TTL toDateTime(occurred_at) + INTERVAL 20 YEAR;

ALTER TABLE query_audit ON CLUSTER panel MODIFY COMMENT 'Requests of the data interface, exports and downloads, kept RETENTION_AUDIT_DAYS';

ALTER TABLE query_audit ON CLUSTER panel COMMENT COLUMN organisation_id '0 for requests without a valid token: one row per address, status and minute';

ALTER TABLE query_audit ON CLUSTER panel COMMENT COLUMN token_id 'Of the token in Postgres, never the token; 0 for a download by link';

ALTER TABLE query_audit ON CLUSTER panel COMMENT COLUMN query_id 'Request id, the query_id of the query it ran, or the id of the export';

ALTER TABLE query_audit ON CLUSTER panel COMMENT COLUMN request 'Request body or parameters as JSON; over 64 KiB with shortened lists and the hash of the whole';
