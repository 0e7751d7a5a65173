-- Row-level security: a role that does not own the tables sees the rows of one organisation, the one in the setting
-- netpanel.organisation; without the setting none, with `all` those of all organisations.
-- services/shared/postgres/in-organisation.ts and postgres-pools.ts set it.
--
-- Not forced on the owner: pg_dump, migrations, the command line and the functions of the owner work as the owner, and
-- pg_dump refuses to dump a table whose policies apply to it.

create function current_organisation() returns integer language sql stable parallel safe as $$
  select nullif(nullif(current_setting('netpanel.organisation', true), ''), 'all')::integer
$$;
create function sees_all_organisations() returns boolean language sql stable parallel safe as $$
  select current_setting('netpanel.organisation', true) is not distinct from 'all'
$$;

-- The subqueries are evaluated once per statement, not once per row.
create policy own_organisation on organisations
  using ((select sees_all_organisations()) or id = (select current_organisation()));
alter table organisations enable row level security;

create policy own_organisation on packages
  using ((select sees_all_organisations()) or exists (
    select from isps i where i.id = isp_id and i.organisation_id = (select current_organisation())));
alter table packages enable row level security;

-- Every table with an organisation_id.
do $$
declare
  tenant_table regclass;
begin
  for tenant_table in
    select c.oid from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
      and a.attname = 'organisation_id'
  loop
    execute format('create policy own_organisation on %s using (
      (select sees_all_organisations()) or organisation_id = (select current_organisation()))', tenant_table);
    execute format('alter table %s enable row level security', tenant_table);
  end loop;
end $$;

-- Functions with the rights of the owner are what a service may do beyond its own, and no more:
-- services/schema/postgres/grant-roles.ts says which role may call them.
revoke execute on function running_exports, organisation_of_export, redact_metadata_changes, erased_id_hash,
  delete_audit_events_before, delete_metadata_superseded_before, delete_unused_changes_before,
  delete_call_counts_before, delete_watched_files_before from public;
