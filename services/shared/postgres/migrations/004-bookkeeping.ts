import type { Knex } from 'knex';

/** What the services must remember about their own work: snapshots to publish, exports, call counts. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- A row says: the metadata changed and ClickHouse does not have it yet. Written in the same
    -- transaction as the change, taken away when a snapshot that contains it is in use.
    create table snapshot_outbox (
      id           bigint generated always as identity primary key,
      change_id    bigint references metadata_changes,
      recorded_at  timestamptz not null default clock_timestamp()
    );

    create table exports (
      id               uuid primary key default gen_random_uuid(),
      organisation_id  integer not null references organisations,
      token_id         integer references api_tokens,
      kind             text not null check (kind in ('metric_data', 'test_data')),
      destination      text not null check (destination in ('csv', 'download')),
      request          jsonb not null,
      status           text not null default 'running'
                       check (status in ('running', 'done', 'failed', 'cancelled', 'expired')),
      query_id         text,
      object_key       text,
      row_count        bigint not null default 0,
      byte_count       bigint not null default 0,
      total_row_count  bigint,
      sha256           bytea,
      failure          text,
      -- The process that runs it; an export whose process is gone has failed.
      runner_id        uuid not null,
      created_at       timestamptz not null default now(),
      heartbeat_at     timestamptz not null default now(),
      finished_at      timestamptz,
      expires_at       timestamptz not null
    );
    create index on exports (organisation_id, created_at);
    create index on exports (expires_at) where status in ('running', 'done');

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
