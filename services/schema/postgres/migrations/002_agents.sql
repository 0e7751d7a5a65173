-- Measurement agents with their fixed properties, and named sets of them. Metadata that changes over time is in
-- agent_metadata.

-- MAC addresses are compared without punctuation and every other id exactly. services/registry has both functions in
-- TypeScript.
create function normalise_id(id text) returns text language sql immutable parallel safe as $$
  select case
    when id ~* '^([0-9a-f]{12}|[0-9a-f]{2}([:.-])[0-9a-f]{2}(\2[0-9a-f]{2}){4}|[0-9a-f]{4}([:.-])[0-9a-f]{4}\4[0-9a-f]{4}|[0-9a-f]{6}[:.-][0-9a-f]{6})$'
      then lower(regexp_replace(id, '[:.-]', '', 'g') collate "C")
    else normalize(id, nfc)
  end
$$;
create function plain_id(id text) returns text language sql immutable parallel safe as $$
  select lower(regexp_replace(id,
    '[\u0020-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u007e]', '', 'g') collate "C")
$$;

create table agents (
  -- agent_key in ClickHouse
  id               bigint generated always as identity primary key,
  organisation_id  integer not null references organisations,
  agent_id         text not null check (agent_id <> ''),
  unit_id          bigint check (unit_id >= 0),
  mac_address      text,
  kind             text not null check (kind in ('whitebox', 'cpe', 'mobile', 'web')),
  base             text not null default '',
  country          text,
  created_at       timestamptz not null default now(),

  agent_id_normalised     text not null generated always as (normalise_id(agent_id)) stored,
  mac_address_normalised  text generated always as (normalise_id(mac_address)) stored,
  -- Under row-level security Postgres uses an index only for conditions that are leakproof: plain_id and LIKE are
  -- not, the comparisons of a stored column are. Collation C, so that a prefix is a range.
  agent_id_plain          text collate "C" not null generated always as (plain_id(agent_id)) stored,
  mac_address_plain       text collate "C" generated always as (plain_id(mac_address)) stored,

  unique (organisation_id, agent_id),
  unique (id, organisation_id)
);
create unique index on agents (organisation_id, unit_id);
create unique index on agents (organisation_id, agent_id_normalised);
create unique index on agents (organisation_id, mac_address_normalised);
create index on agents (organisation_id, agent_id_plain);
create index on agents (organisation_id, mac_address_plain);

create table agent_sets (
  id               integer generated always as identity primary key,
  organisation_id  integer not null references organisations,
  name             text not null check (name <> ''),
  created_at       timestamptz not null default now(),
  unique (organisation_id, name),
  unique (organisation_id, id)
);

create table agent_set_members (
  organisation_id  integer not null,
  set_id           integer not null,
  agent_key        bigint not null references agents,
  primary key (set_id, agent_key),
  foreign key (organisation_id, set_id) references agent_sets (organisation_id, id) on delete cascade
);
create index on agent_set_members (agent_key);
create index on agent_set_members (organisation_id);
