-- For psql, after deploy/postgres/roles.sql: the users of the services, with the password in :password.
select format('create user %I in role %I', name, role)
from (values ('query', 'netpanel_query'), ('metadata', 'netpanel_metadata'),
             ('ingest', 'netpanel_ingest')) as users (name, role)
where not exists (select from pg_roles where rolname = name) \gexec

alter user query password :'password';
alter user metadata password :'password';
alter user ingest password :'password';
