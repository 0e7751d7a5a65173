import type { Knex } from 'knex';

/**
 * Who changed what: an event per change of organisations, tokens, grants, ISPs, packages and agents, in
 * the transaction of the change. Triggers write them, so that a change in psql is recorded like one by
 * the command line. Changes of metadata are in metadata_changes, with their requests.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(auditEvents);
  await knex.raw(auditRegistry);
  await knex.raw(auditAgents);
  await knex.raw(auditEndedExports);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function audit_row_change, audit_agent_change, audit_actor,
                  delete_audit_events_before cascade;
    drop table audit_events;
    drop function forbid_changing_audit_events;
    alter table exports drop column audited_at, drop column rows_read, drop column bytes_read;
  `);
}

// No foreign keys: events outlive what they are about. Retention deletes through a function of the
// owner, so that the services need no right to delete. It keeps the last 30 days in any case.
const auditEvents = `
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

  create function delete_audit_events_before(deleted_before timestamptz, max_rows integer)
    returns bigint language plpgsql security definer set search_path from current as $$
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
`;

// With the rights of the owner: a role that may change a token need not be able to write events.
// token_sha256 is left out: a hash of a token would allow to recognise it. last_used_at changes with use.
const auditRegistry = `
  create function audit_actor() returns text language sql stable as $$
    select concat_ws(' as ', nullif(current_setting('application_name'), ''), session_user)
  $$;

  -- Arguments: the noun of the action, and the column that names the target.
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
`;

// Agents come in files of 100,000: one event per statement and organisation, with their number. No ids: an
// erased household must not remain in the audit.
const auditAgents = `
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
`;

// An export is audited in ClickHouse when it has ended. Those that have already ended were audited by
// their requests.
const auditEndedExports = `
  alter table exports
    add column rows_read bigint not null default 0,
    add column bytes_read bigint not null default 0,
    add column audited_at timestamptz;
  update exports set audited_at = now() where status <> 'running';
  create index on exports (finished_at) where audited_at is null and status <> 'running';
`;
