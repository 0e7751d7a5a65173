import type { Knex } from 'knex';

/**
 * A version per organisation, incremented by every change of its published metadata: whatever inserts
 * into snapshot_outbox. A change and its version are committed together, and the lock orders the commits:
 * a transaction that sees version 7 sees the changes of all versions up to 7. Queries see the versions
 * below the lowest one that is left in the outbox.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table metadata_versions (
      organisation_id  integer primary key references organisations,
      version          bigint not null
    );
    create policy own_organisation on metadata_versions
      using ((select sees_all_organisations()) or organisation_id = (select current_organisation()));
    alter table metadata_versions enable row level security;
    insert into metadata_versions
      select organisation_id, count(*) from snapshot_outbox group by organisation_id;

    alter table snapshot_outbox add column version bigint;
    update snapshot_outbox o set version = numbered.version
      from (select id, row_number() over (partition by organisation_id order by id) as version
            from snapshot_outbox) as numbered
      where o.id = numbered.id;
    alter table snapshot_outbox alter column version set not null;
    create index snapshot_outbox_versions on snapshot_outbox (organisation_id, version);
    drop index snapshot_outbox_organisation_id_idx;

    -- 1 is the namespace of the lock of services/registry/lock-history.ts. A transaction that holds the row
    -- of metadata_versions holds the lock too, so changes wait only for the lock. With the rights of the
    -- owner: the services need none to change a version.
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
    -- Triggers run in the order of their names: after outbox_has_organisation.
    create trigger outbox_has_version before insert on snapshot_outbox
      for each row execute function set_outbox_version();

    alter table exports add column metadata_version bigint;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table exports drop column metadata_version;
    drop function set_outbox_version cascade;
    create index snapshot_outbox_organisation_id_idx on snapshot_outbox (organisation_id);
    drop index snapshot_outbox_versions;
    alter table snapshot_outbox drop column version;
    drop table metadata_versions;
  `);
}
