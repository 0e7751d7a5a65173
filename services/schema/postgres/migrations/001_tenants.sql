-- Organisations with their tokens, grants, ISPs and packages.

create table organisations (
  id           integer generated always as identity primary key,
  name         text not null unique check (name ~ '^[a-z0-9][a-z0-9_-]{0,62}$'),
  -- Access is explicit: everything of a kind, or exactly the grants.
  all_metrics  boolean not null default false,
  all_tests    boolean not null default false,
  -- The privacy floor: the least number of agents of a point. The larger one of organisation and token holds;
  -- null: none.
  min_agents   integer constraint floor_of_organisation check (min_agents between 2 and 1000000),
  created_at   timestamptz not null default now()
);

create table api_tokens (
  id               integer generated always as identity primary key,
  organisation_id  integer not null references organisations,
  interface        text not null check (interface in ('data', 'metadata')),
  -- A token without scopes can do nothing.
  scopes           text[] not null default '{}',
  -- The token itself is not stored.
  token_sha256     bytea not null unique check (octet_length(token_sha256) = 32),
  label            text not null,
  min_agents       integer constraint floor_of_token check (min_agents between 2 and 1000000),
  created_at       timestamptz not null default now(),
  expires_at       timestamptz,
  revoked_at       timestamptz,
  last_used_at     timestamptz,
  -- A metadata token reads single agents.
  constraint floor_of_data_token check (min_agents is null or interface = 'data')
);
create index on api_tokens (organisation_id);

create table grants (
  organisation_id  integer not null references organisations,
  kind             text not null check (kind in ('metric', 'test')),
  key              text not null,
  primary key (organisation_id, kind, key)
);

create table isps (
  id               integer generated always as identity primary key,
  organisation_id  integer not null references organisations,
  name             text not null check (name <> ''),
  unique (organisation_id, name),
  unique (id, organisation_id)
);

create table packages (
  id      integer generated always as identity primary key,
  isp_id  integer not null references isps,
  name    text not null check (name <> ''),
  unique (isp_id, name),
  unique (id, isp_id)
);
