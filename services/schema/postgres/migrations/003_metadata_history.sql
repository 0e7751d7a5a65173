-- Bitemporal history of metadata: `valid` is the validity period, `recorded_at` to `superseded_at` is the time in
-- which we had this information. Rows without superseded_at are current.
--
-- Most changes end a period and begin another. The ended row stays current with a shorter `valid`, and keeps the longer
-- one for knownAt: two rows are written per agent and not three.
--
-- One change can write 200,000 rows, so triggers check the rules per statement and not per row: an exclusion
-- constraint and five foreign keys took five times as long as the change itself.

create table metadata_changes (
  id               bigint generated always as identity primary key,
  organisation_id  integer not null references organisations,
  -- null for changes by the command line
  token_id         integer references api_tokens,
  recorded_at      timestamptz not null default now(),
  request          jsonb not null,
  agent_count      integer not null
);
create index on metadata_changes (organisation_id, recorded_at);

create table agent_metadata (
  id                 bigint generated always as identity primary key,
  agent_key          bigint not null,
  organisation_id    integer not null,
  valid              tstzrange not null check (not isempty(valid)),
  isp_id             integer,
  package_id         integer,
  timezone           text,
  custom             jsonb not null default '{}' check (jsonb_typeof(custom) = 'object'),
  -- From when on a release stated the values; null: not of a release. The first release of a unit is valid for all
  -- time, so the start of the period does not say it, and an earlier release that is loaded later ends there.
  stated_from        timestamptz,
  recorded_at        timestamptz not null,
  recorded_by        bigint not null,
  -- Of the change that set the values, if a later one has cut the row out of a longer period; null: the same as
  -- recorded_at and recorded_by. knownAt needs recorded_at: before that, the longer period was part of the history.
  first_recorded_at  timestamptz,
  first_recorded_by  bigint,
  -- The period until a change ended it earlier, once; a second time, the row is superseded and replaced.
  longer_valid       tstzrange,
  shortened_at       timestamptz,
  shortened_by       bigint,
  superseded_at      timestamptz,
  superseded_by      bigint,

  check (package_id is null or isp_id is not null),
  check ((superseded_at is null) = (superseded_by is null)),
  constraint first_recorded check ((first_recorded_at is null) = (first_recorded_by is null)),
  constraint shortened check (
    num_nulls(longer_valid, shortened_at, shortened_by) = 3
    or num_nulls(longer_valid, shortened_at, shortened_by) = 0 and longer_valid @> valid
      and longer_valid <> valid and lower(longer_valid) is not distinct from lower(valid)),
  -- Periods are whole seconds, [from, to): lookups in the ClickHouse dictionary are by the second.
  check (lower_inc(valid) or lower_inf(valid)),
  check (not upper_inc(valid)),
  check (lower_inf(valid) or date_trunc('second', lower(valid)) = lower(valid)),
  check (upper_inf(valid) or date_trunc('second', upper(valid)) = upper(valid))
)
-- Leaves room for the shortened row in the same page, so that it needs no entries in the indexes (HOT).
with (fillfactor = 50);
create index on agent_metadata (agent_key) where superseded_at is null;
create index agent_metadata_of_organisation on agent_metadata (organisation_id)
  where superseded_at is null;
create index on agent_metadata (superseded_at) where superseded_at is not null;
create index agent_metadata_first_recorded_by on agent_metadata (first_recorded_by)
  where first_recorded_by is not null;
-- BRIN, because the other kinds of indexes prevent HOT (before Postgres 16 this one does, too).
create index on agent_metadata using brin (shortened_at);
-- For the changes of an agent.
create index agent_metadata_superseded_agent on agent_metadata (agent_key)
  where superseded_at is not null;

-- The custom metadata keys of each organisation, so that a change can count them without reading all agents. A key
-- may be listed that no agent has any more: services/metadata/history/check-custom.ts removes such keys when the
-- limit is reached.
create table custom_keys (
  organisation_id  integer not null references organisations,
  key              text not null,
  primary key (organisation_id, key)
);

-- Since when the history is complete. Retention deletes superseded rows, without which metadata as it was recorded
-- before their end cannot be reproduced (knownAt).
create table metadata_history_start (
  only_row    boolean primary key default true check (only_row),
  kept_since  timestamptz not null
);
insert into metadata_history_start (kept_since) values ('-infinity');

-- The lock serialises the writers of an organisation, so the check sees committed rows of the others; with any other
-- isolation level it would see the database as it was before the wait.
-- 1 is the namespace of the lock: services/registry/versions/lock-history.ts takes the same lock earlier.
-- `execute` plans for the number of rows at hand. A cached plan was that of the connection's first change: if that was
-- of one agent, a change of 100,000 agents looked up each row in turn.
-- The ISP, package and change of each combination are looked up once, not once per row.
create function check_new_periods() returns trigger language plpgsql as $$
declare
  violated boolean;
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'metadata history must be written with isolation level read committed';
  end if;
  perform pg_advisory_xact_lock(1, organisation_id)
    from (select distinct organisation_id from inserted order by 1) as touched;

  execute $overlap$ select exists (
    select from inserted i
      join agent_metadata m on m.agent_key = i.agent_key and m.superseded_at is null
    where i.superseded_at is null and m.id <> i.id and m.valid && i.valid
  ) $overlap$ into violated;
  if violated then
    raise exclusion_violation using table = 'agent_metadata',
      message = 'two current periods of an agent overlap (no_overlapping_periods)';
  end if;

  execute $references$ select exists (
    select from inserted i
      left join agents a on a.id = i.agent_key and a.organisation_id = i.organisation_id
    where a.id is null
  ) or exists (
    select from (
        select distinct organisation_id, isp_id, package_id, recorded_by from inserted
      ) as i
      left join isps s on s.id = i.isp_id and s.organisation_id = i.organisation_id
      left join packages p on p.id = i.package_id and p.isp_id = i.isp_id
      left join metadata_changes c
        on c.id = i.recorded_by and c.organisation_id = i.organisation_id
    where c.id is null
       or (i.isp_id is not null and s.id is null)
       or (i.package_id is not null and p.id is null)
  ) $references$ into violated;
  if violated then
    raise foreign_key_violation using table = 'agent_metadata',
      message = 'violates foreign key: the organisation does not have the agent, ISP, package or change';
  end if;
  return null;
end $$;
create trigger new_periods_do_not_overlap after insert on agent_metadata
  referencing new table as inserted
  for each statement execute function check_new_periods();

-- History is append-only: a current row is shortened once, which cannot make periods overlap, and superseded once. Only
-- retention and erasures delete, which say so in a setting of their transaction.
create function forbid_rewriting_history() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'metadata history cannot be deleted';
  end if;
  raise exception 'metadata history cannot be rewritten, only superseded';
end $$;
create trigger history_is_not_deleted before delete on agent_metadata
  for each row when (current_setting('netpanel.retention', true) is distinct from 'on'
    and current_setting('netpanel.erasing', true) is distinct from 'on')
  execute function forbid_rewriting_history();
create trigger changes_are_not_deleted before delete on metadata_changes
  for each row when (current_setting('netpanel.retention', true) is distinct from 'on')
  execute function forbid_rewriting_history();
create trigger history_is_append_only before update on agent_metadata
  for each row when (
    current_setting('netpanel.retention', true) is distinct from 'on' and (
      old.superseded_at is not null
      or (new.id, new.agent_key, new.organisation_id, new.isp_id, new.package_id, new.timezone,
          new.custom, new.stated_from, new.recorded_at, new.recorded_by,
          new.first_recorded_at, new.first_recorded_by)
         is distinct from
         (old.id, old.agent_key, old.organisation_id, old.isp_id, old.package_id, old.timezone,
          old.custom, old.stated_from, old.recorded_at, old.recorded_by,
          old.first_recorded_at, old.first_recorded_by)
      or case
           when new.superseded_at is null
             then old.shortened_at is not null or new.longer_valid is distinct from old.valid
           else (new.valid, new.longer_valid, new.shortened_at, new.shortened_by)
             is distinct from (old.valid, old.longer_valid, old.shortened_at, old.shortened_by)
         end)
  ) execute function forbid_rewriting_history();

-- Like foreign keys, these prevent the deletion of referenced rows, by the referencing column.
create function keep_rows_of_history() returns trigger language plpgsql as $$
declare
  is_referenced boolean;
begin
  execute format('select exists (select from agent_metadata where %I = $1)', tg_argv[0])
    into is_referenced using old.id;
  if is_referenced then
    raise foreign_key_violation using table = tg_table_name,
      message = 'violates foreign key: metadata history references this row of ' || tg_table_name;
  end if;
  return old;
end $$;
create trigger keep_agents_with_history before delete on agents
  for each row execute function keep_rows_of_history('agent_key');
create trigger keep_isps_in_history before delete on isps
  for each row execute function keep_rows_of_history('isp_id');
create trigger keep_packages_in_history before delete on packages
  for each row execute function keep_rows_of_history('package_id');
