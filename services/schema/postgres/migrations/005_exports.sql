-- Exports: files that the query service writes to an object store.

create table exports (
  id                uuid primary key,
  organisation_id   integer not null references organisations,
  token_id          integer not null references api_tokens,
  kind              text not null check (kind in ('metric_data', 'test_data')),
  destination       text not null check (destination in ('csv', 'download')),
  format            text not null check (format in ('csv', 'csv.gz', 'parquet')),
  -- Not jsonb, which refuses some JSON, such as strings with \u0000.
  request           json not null,
  -- The privacy floor and the version of the metadata that it was made with.
  min_agents        integer,
  metadata_version  bigint,
  status            text not null default 'running'
                    check (status in ('running', 'done', 'failed', 'cancelled', 'expired', 'erased')),
  -- The object store of the file. Services with another store ignore this export.
  store             text not null,
  object_key        text not null,
  row_count         bigint not null default 0,
  byte_count        bigint not null default 0,
  -- Estimated number of rows; null without an estimate.
  expected_rows     bigint,
  rows_read         bigint not null default 0,
  bytes_read        bigint not null default 0,
  sha256            bytea check (octet_length(sha256) = 32),
  failure_code      text,
  failure_message   text,
  -- The process that runs it, and when the export counts as lost without a further heartbeat.
  runner_id         uuid not null,
  lost_at           timestamptz not null,
  -- What another replica needs to run it again, and which attempt runs.
  job               jsonb,
  attempt           smallint not null default 1,
  created_at        timestamptz not null default now(),
  finished_at       timestamptz,
  expires_at        timestamptz not null,
  -- When its files were deleted from the object store.
  swept_at          timestamptz,
  -- When its end was recorded in the audit of ClickHouse.
  audited_at        timestamptz
);
create index on exports (organisation_id, created_at);
create index on exports (status, expires_at) where swept_at is null;
create index on exports (finished_at) where audited_at is null and status <> 'running';
-- The files of an organisation that may still exist: their size is summed up with every heartbeat.
create index exports_kept on exports (organisation_id, status) where swept_at is null;

-- The job has the values of the request, so it is removed when the export ends, by any process: an erasure must not
-- miss it.
create function remove_job_of_ended_export() returns trigger language plpgsql as $$
begin
  new.job := null;
  return new;
end $$;
create trigger remove_job before update on exports for each row
  when (new.status <> 'running' and new.job is not null)
  execute function remove_job_of_ended_export();

-- Of all organisations: the limit in total is checked in the transaction of one organisation.
create function running_exports() returns bigint language sql stable
  security definer set search_path from current as $$
  select count(*) from exports where status = 'running' and swept_at is null
$$;

-- A signed link to an export needs no token, so its request has no organisation yet.
create function organisation_of_export(export_id uuid) returns integer language sql stable
  security definer set search_path from current as $$
  select organisation_id from exports where id = export_id
$$;
