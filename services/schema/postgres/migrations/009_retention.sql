-- Retention: when each rule of services/metadata/retention last ran, and the functions through which it deletes, so
-- that the services need no right to delete. Each deletes at most max_rows and returns their number. They switch the
-- setting in their bodies: only a superuser may name a setting of ours in `create function … set`.

create table retention_state (
  rule         text primary key,
  created_at   timestamptz not null default now(),
  -- the last complete run, and the rows it removed
  finished_at  timestamptz,
  removed      bigint not null default 0,
  -- of the last run; null if it was complete
  failure      text
);

create function delete_audit_events_before(deleted_before timestamptz, max_rows integer)
  returns bigint language plpgsql
  security definer set search_path from current as $$
declare
  deleted bigint;
begin
  if deleted_before > now() - interval '30 days' then
    raise exception 'audit events are kept for at least 30 days';
  end if;
  perform set_config('netpanel.retention', 'on', true);
  delete from audit_events where id in (
    select id from audit_events where occurred_at < deleted_before order by id limit max_rows);
  get diagnostics deleted = row_count;
  perform set_config('netpanel.retention', 'off', true);
  return deleted;
end $$;

-- What was superseded is deleted. Of what was shortened, the longer period is forgotten: the row becomes one that
-- shortened_by has recorded.
create function delete_metadata_superseded_before(deleted_before timestamptz, max_rows integer)
  returns bigint language plpgsql
  security definer set search_path from current as $$
declare
  deleted bigint;
  forgotten bigint;
  last_deleted timestamptz;
  last_forgotten timestamptz;
begin
  perform set_config('netpanel.retention', 'on', true);
  with deleted_rows as (
    delete from agent_metadata where id in (
      select id from agent_metadata where superseded_at < deleted_before
      order by superseded_at limit max_rows) returning superseded_at)
  select count(*), max(superseded_at) into deleted, last_deleted from deleted_rows;
  with shortened as (
    select id, shortened_at from agent_metadata where shortened_at < deleted_before
    order by shortened_at limit max_rows - deleted
  ), forgotten_periods as (
    update agent_metadata m
    set recorded_at = m.shortened_at, recorded_by = m.shortened_by,
        first_recorded_at = coalesce(m.first_recorded_at, m.recorded_at),
        first_recorded_by = coalesce(m.first_recorded_by, m.recorded_by),
        longer_valid = null, shortened_at = null, shortened_by = null
    from shortened s where m.id = s.id returning s.shortened_at)
  select count(*), max(shortened_at) into forgotten, last_forgotten from forgotten_periods;
  perform set_config('netpanel.retention', 'off', true);
  update metadata_history_start set kept_since = greatest(kept_since, last_deleted, last_forgotten);
  return deleted + forgotten;
end $$;

-- Changes that no row of the history refers to, and that are not waiting for a publication.
create view unused_metadata_changes as
  select id, recorded_at from metadata_changes c
  where not exists (select from agent_metadata m where m.recorded_by = c.id)
    and not exists (select from agent_metadata m where m.superseded_by = c.id)
    and not exists (select from agent_metadata m where m.shortened_by = c.id)
    and not exists (select from agent_metadata m where m.first_recorded_by = c.id)
    and not exists (select from snapshot_outbox o where o.change_id = c.id);

create function delete_unused_changes_before(deleted_before timestamptz, max_rows integer)
  returns bigint language plpgsql
  security definer set search_path from current as $$
declare
  deleted bigint;
begin
  perform set_config('netpanel.retention', 'on', true);
  delete from metadata_changes where id in (
    select id from unused_metadata_changes where recorded_at < deleted_before order by id limit max_rows);
  get diagnostics deleted = row_count;
  perform set_config('netpanel.retention', 'off', true);
  return deleted;
end $$;

create function delete_call_counts_before(deleted_before timestamptz, max_rows integer)
  returns bigint language sql security definer set search_path from current as $$
  with deleted as (
    delete from api_call_counts where ctid = any(array(
      select ctid from api_call_counts
      where day < (deleted_before at time zone 'UTC')::date limit max_rows)) returning 1)
  select count(*) from deleted;
$$;

create function delete_watched_files_before(deleted_before timestamptz, max_rows integer)
  returns bigint language sql security definer set search_path from current as $$
  with deleted as (
    delete from watched_files where ctid = any(array(
      select ctid from watched_files where ended_at < deleted_before limit max_rows)) returning 1)
  select count(*) from deleted;
$$;
