-- Records of the services and the command line: calls, repeated requests, saved views, loaded files.

create table api_call_counts (
  day              date not null,
  organisation_id  integer not null references organisations,
  token_id         integer not null references api_tokens,
  route            text not null,
  status           smallint not null,
  call_count       bigint not null,
  primary key (day, organisation_id, token_id, route, status)
);

-- Responses of the ingestion service to requests with an Idempotency-Key: a repeated request gets the response of the
-- first one. A running request holds an advisory lock and has no row yet.
create table ingest_requests (
  organisation_id  integer not null references organisations,
  idempotency_key  text not null check (length(idempotency_key) between 1 and 255),
  -- SHA-256 of the route, its parameters and the body.
  request_sha256   bytea not null check (octet_length(request_sha256) = 32),
  -- Of the response: data.
  answer           jsonb not null,
  stored_at        timestamptz not null default now(),
  primary key (organisation_id, idempotency_key)
);
create index on ingest_requests (stored_at);
create index on ingest_requests (organisation_id, stored_at);

-- Saved views of the explorer. No trigger for audit_events: a name or state can contain the id of a household. The
-- audit of requests has who saved and deleted which view.
create table saved_views (
  id               uuid primary key default gen_random_uuid(),
  organisation_id  integer not null references organisations,
  token_id         integer not null references api_tokens,
  name             text not null check (char_length(name) between 1 and 100),
  -- What follows the # in the URL of the explorer.
  state            text not null check (octet_length(state) between 1 and 8000),
  -- The privacy floor of the token. Tokens with a larger one do not see the view: its filters may name agents.
  min_agents       integer not null default 0,
  created_at       timestamptz not null default now(),
  unique (organisation_id, name)
);

-- Files that netpanel watch has found, one row per content. A file that changes gets a new version, and so a new row:
-- two machines with different files of the same name do not undo each other's records.
create table watched_files (
  organisation_id  integer not null references organisations,
  -- A folder, or s3://bucket/prefix/.
  place            text not null,
  -- Relative to the place: httpget/day.csv.
  name             text not null,
  -- Of the content: size and modification time, or the ETag.
  version          text not null,
  size_bytes       bigint not null,
  modified_at      timestamptz not null,
  test             text,
  -- loading: now, or until a watcher was killed, which an advisory lock tells apart. retrying: after a temporary
  -- failure. failed: the file is bad.
  status           text not null check (status in ('loading', 'loaded', 'retrying', 'failed')),
  attempts         integer not null default 1,
  next_attempt_at  timestamptz,
  started_at       timestamptz not null default now(),
  ended_at         timestamptz,
  message          text,
  summary          jsonb,
  primary key (organisation_id, place, name, version),
  check ((status = 'loading') = (ended_at is null)),
  check ((status = 'retrying') = (next_attempt_at is not null))
);
create index on watched_files (ended_at);
