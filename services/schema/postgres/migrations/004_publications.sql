-- Publication of metadata to ClickHouse, per organisation. Every change of published data requests one, whether by a
-- service, the command line or an operator in psql.

-- Metadata changes that are not in ClickHouse yet. A row is inserted in the same transaction as the change, and
-- deleted when a publication that contains the change is in use.
create table snapshot_outbox (
  id               bigint generated always as identity primary key,
  organisation_id  integer not null references organisations,
  change_id        bigint references metadata_changes,
  -- Of the organisation's metadata; set by a trigger.
  version          bigint not null,
  -- The agents of the change, so that only they are published; null: any agent of the organisation
  agent_keys       bigint[],
  -- The earliest moment whose metadata the change affects; null: any time
  affected_from    timestamptz,
  recorded_at      timestamptz not null default clock_timestamp()
);
-- Up to 100,000 numbers, which are read once: compressing them took a twentieth of a change.
alter table snapshot_outbox alter column agent_keys set storage external;
create index snapshot_outbox_versions on snapshot_outbox (organisation_id, version);

-- A version per organisation, incremented by every change of its published metadata: whatever inserts into
-- snapshot_outbox. A change and its version are committed together, and the lock orders the commits: a transaction
-- that sees version 7 sees the changes of all versions up to 7. Queries see the versions below the lowest one that is
-- left in the outbox.
create table metadata_versions (
  organisation_id  integer primary key references organisations,
  version          bigint not null
);

create sequence snapshot_version_numbers;

-- The publication of each organisation that ClickHouse should have.
create table snapshot_organisations (
  organisation_id     integer primary key references organisations,
  publication         bigint not null,
  row_count           bigint not null,
  -- a UInt64 of ClickHouse, out of the range of bigint
  content_hash        numeric(20) not null,
  published_at        timestamptz not null,
  -- Of the agents that changed since the snapshot; 0 if there is none.
  change_publication  bigint not null default 0,
  changed_agents      integer not null default 0,
  -- When the first of them changed.
  changed_since       timestamptz
);

-- 1 is the namespace of the lock of services/registry/versions/lock-history.ts. A transaction that holds the row of
-- metadata_versions holds the lock too, so changes wait only for the lock. With the rights of the owner: the services
-- need none to change a version.
create function set_outbox_version() returns trigger language plpgsql
  security definer set search_path from current as $$
begin
  perform pg_advisory_xact_lock(1, new.organisation_id);
  insert into metadata_versions as latest (organisation_id, version)
    values (new.organisation_id, 1)
    on conflict (organisation_id) do update set version = latest.version + 1
    returning latest.version into new.version;
  return new;
end $$;
create trigger outbox_has_version before insert on snapshot_outbox
  for each row execute function set_outbox_version();

create function make_agents_due() returns trigger language plpgsql as $$
begin
  insert into snapshot_outbox (organisation_id, agent_keys)
  select organisation_id, array_agg(id) from changed group by organisation_id;
  return null;
end $$;
create trigger new_agents_are_due after insert on agents referencing new table as changed
  for each statement execute function make_agents_due();
create trigger changed_agents_are_due after update on agents referencing new table as changed
  for each statement execute function make_agents_due();

create function make_organisations_due() returns trigger language plpgsql as $$
begin
  insert into snapshot_outbox (organisation_id) select distinct organisation_id from changed;
  return null;
end $$;
create trigger deleted_agents_are_due after delete on agents referencing old table as changed
  for each statement execute function make_organisations_due();
create trigger changed_isps_are_due after update on isps referencing new table as changed
  for each statement execute function make_organisations_due();

create function make_package_owners_due() returns trigger language plpgsql as $$
begin
  insert into snapshot_outbox (organisation_id)
  select distinct i.organisation_id from changed c join isps i on i.id = c.isp_id;
  return null;
end $$;
create trigger changed_packages_are_due after update on packages referencing new table as changed
  for each statement execute function make_package_owners_due();
