-- The roles of the services in Postgres. They do not own the tables, so row-level security applies to them.
-- Run this once as a superuser, in the database of netpanel, and then netpanel migrate, which grants the
-- roles what they need and does so again after every upgrade. docs/install.md shows how to add users.

do $$
begin
  if not exists (select from pg_roles where rolname = 'netpanel_query') then
    create role netpanel_query nologin;
  end if;
  if not exists (select from pg_roles where rolname = 'netpanel_metadata') then
    create role netpanel_metadata nologin;
  end if;
  if not exists (select from pg_roles where rolname = 'netpanel_ingest') then
    create role netpanel_ingest nologin;
  end if;
end $$;

-- Before Postgres 15 every user could create tables.
revoke create on schema public from public;
