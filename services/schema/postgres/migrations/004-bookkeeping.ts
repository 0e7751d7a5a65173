import type { Knex } from 'knex';

/** Tables for the services' own use: snapshots to publish, exports, call counts. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Metadata changes that are not in ClickHouse yet. A row is inserted in the same transaction as the
    -- change, and deleted when a snapshot that contains the change is in use.
    create table snapshot_outbox (
      id           bigint generated always as identity primary key,
      change_id    bigint references metadata_changes,
      recorded_at  timestamptz not null default clock_timestamp()
    );

    create table exports (
      id               uuid primary key,
      organisation_id  integer not null references organisations,
      token_id         integer not null references api_tokens,
      kind             text not null check (kind in ('metric_data', 'test_data')),
      destination      text not null check (destination in ('csv', 'download')),
      format           text not null check (format in ('csv', 'csv.gz', 'parquet')),
      -- Not jsonb, which refuses some JSON, such as strings with \\u0000.
      request          json not null,
      status           text not null default 'running'
                       check (status in ('running', 'done', 'failed', 'cancelled', 'expired')),
      -- The object store of the file. Services with another store ignore this export.
      store            text not null,
      object_key       text not null,
      row_count        bigint not null default 0,
      byte_count       bigint not null default 0,
      -- Estimated number of rows; null without an estimate.
      expected_rows    bigint,
      sha256           bytea check (octet_length(sha256) = 32),
      failure_code     text,
      failure_message  text,
      -- The process that runs it, and when the export counts as lost without a further heartbeat.
      runner_id        uuid not null,
      lost_at          timestamptz not null,
      created_at       timestamptz not null default now(),
      finished_at      timestamptz,
      expires_at       timestamptz not null,
      -- When its files were deleted from the object store.
      swept_at         timestamptz
    );
    create index on exports (organisation_id, created_at);
    create index on exports (status, expires_at) where swept_at is null;

    create table api_call_counts (
      day              date not null,
      organisation_id  integer not null references organisations,
      token_id         integer not null references api_tokens,
      route            text not null,
      status           smallint not null,
      call_count       bigint not null,
      primary key (day, organisation_id, token_id, route, status)
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table api_call_counts, exports, snapshot_outbox');
}
