-- Who changed what: an event per change of organisations, tokens, grants, ISPs, packages, agents and sets, in the
-- transaction of the change. Triggers write them, so that a change in psql is recorded like one by the command line.
-- Changes of metadata are in metadata_changes, with their requests. No foreign keys: events outlive what they are
-- about.

create table audit_events (
  id               bigint generated always as identity primary key,
  occurred_at      timestamptz not null default now(),
  -- null: no organisation, such as a request without a valid token
  organisation_id  integer,
  -- a token, an address, or the program and database user of an operator
  actor            text not null,
  -- such as token.create or request.refuse
  action           text not null,
  target           text not null,
  details          jsonb not null default '{}',
  -- OK, or the error code of a refused request
  outcome          text not null default 'OK'
);
create index on audit_events (occurred_at);
create index on audit_events (organisation_id, occurred_at);

create function forbid_changing_audit_events() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('netpanel.retention', true) = 'on' then
    return old;
  end if;
  raise exception 'audit events cannot be changed or deleted';
end $$;
create trigger audit_is_append_only before update or delete on audit_events
  for each row execute function forbid_changing_audit_events();
create trigger audit_is_not_truncated before truncate on audit_events
  for each statement execute function forbid_changing_audit_events();

create function audit_actor() returns text language sql stable as $$
  select concat_ws(' as ', nullif(current_setting('application_name'), ''), session_user)
$$;

-- Arguments: the noun of the action, and the column that names the target.
-- With the rights of the owner: a role that may change a token need not be able to write events.
-- token_sha256 is left out: a hash of a token would allow to recognise it. last_used_at changes with use.
create function audit_row_change() returns trigger language plpgsql
  security definer set search_path from current as $$
declare
  before_change jsonb := case when tg_op <> 'INSERT'
    then to_jsonb(old) - array['token_sha256', 'last_used_at'] end;
  after_change jsonb := case when tg_op <> 'DELETE'
    then to_jsonb(new) - array['token_sha256', 'last_used_at'] end;
  row_values jsonb := coalesce(after_change, before_change);
  owner integer := case tg_table_name
    when 'organisations' then (row_values ->> 'id')::integer
    when 'packages' then (
      select organisation_id from isps where id = (row_values ->> 'isp_id')::integer)
    else (row_values ->> 'organisation_id')::integer end;
begin
  if before_change = after_change then
    return null;
  end if;
  insert into audit_events (organisation_id, actor, action, target, details)
  values (owner, audit_actor(),
    tg_argv[0] || case tg_op when 'INSERT' then '.create' when 'UPDATE' then '.change'
                  else '.delete' end,
    tg_argv[0] || ' ' || (row_values ->> tg_argv[1]),
    jsonb_strip_nulls(jsonb_build_object('before', before_change, 'after', after_change)));
  return null;
end $$;
create trigger changes_are_audited after insert or update or delete on organisations
  for each row execute function audit_row_change('organisation', 'name');
create trigger changes_are_audited after insert or update or delete on api_tokens
  for each row execute function audit_row_change('token', 'id');
create trigger changes_are_audited after insert or update or delete on grants
  for each row execute function audit_row_change('grant', 'key');
create trigger changes_are_audited after insert or update or delete on isps
  for each row execute function audit_row_change('isp', 'name');
create trigger changes_are_audited after insert or update or delete on packages
  for each row execute function audit_row_change('package', 'name');
create trigger changes_are_audited after insert or update or delete on agent_sets
  for each row execute function audit_row_change('set', 'name');

-- Agents come in files of 100,000: one event per statement and organisation, with their number. No ids: an erased
-- household must not remain in the audit.
create function audit_agent_change() returns trigger language plpgsql
  security definer set search_path from current as $$
begin
  insert into audit_events (organisation_id, actor, action, target, details)
  select organisation_id, audit_actor(), tg_argv[0], 'agents', jsonb_build_object('agents', count(*))
  from changed_agents group by organisation_id;
  return null;
end $$;
create trigger new_agents_are_audited after insert on agents
  referencing new table as changed_agents
  for each statement execute function audit_agent_change('agents.create');
create trigger changed_agents_are_audited after update on agents
  referencing new table as changed_agents
  for each statement execute function audit_agent_change('agents.change');
create trigger deleted_agents_are_audited after delete on agents
  referencing old table as changed_agents
  for each statement execute function audit_agent_change('agents.delete');

-- Likewise of the members of a set.
create function audit_set_members() returns trigger language plpgsql
  security definer set search_path from current as $$
begin
  insert into audit_events (organisation_id, actor, action, target, details)
  select m.organisation_id, audit_actor(), tg_argv[0],
         'set ' || coalesce(max(s.name), m.set_id::text), jsonb_build_object('agents', count(*))
  from changed_members m left join agent_sets s on s.id = m.set_id
  group by m.organisation_id, m.set_id;
  return null;
end $$;
create trigger added_members_are_audited after insert on agent_set_members
  referencing new table as changed_members
  for each statement execute function audit_set_members('set.add_agents');
create trigger removed_members_are_audited after delete on agent_set_members
  referencing old table as changed_members
  for each statement execute function audit_set_members('set.remove_agents');
