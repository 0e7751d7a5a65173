import type { Knex } from 'knex';

/**
 * Snapshots are published per organisation: the outbox names the organisation of each change, and
 * snapshot_organisations has the publication of each that ClickHouse should have.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(tables);
  await knex.raw(triggers);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function make_organisations_due, make_package_owners_due, set_outbox_organisation cascade;
    drop table snapshot_organisations;
    alter table snapshot_outbox drop column organisation_id;
    create function make_snapshot_due() returns trigger language plpgsql as $$
    begin
      insert into snapshot_outbox default values;
      return null;
    end $$;
    create trigger snapshot_is_due after insert or update or delete on agents
      for each statement execute function make_snapshot_due();
    create trigger snapshot_is_due after update on isps
      for each statement execute function make_snapshot_due();
    create trigger snapshot_is_due after update on packages
      for each statement execute function make_snapshot_due();
  `);
}

// Every organisation is published once, to replace the snapshot of 0.1.0.
const tables = `
  create table snapshot_organisations (
    organisation_id  integer primary key references organisations,
    publication      bigint not null,
    row_count        bigint not null,
    -- a UInt64 of ClickHouse, out of the range of bigint
    content_hash     numeric(20) not null,
    published_at     timestamptz not null
  );

  delete from snapshot_outbox;
  alter table snapshot_outbox add column organisation_id integer not null references organisations;
  create index on snapshot_outbox (organisation_id);
  insert into snapshot_outbox (organisation_id) select distinct organisation_id from agents;
`;

const triggers = `
  -- Services of 0.1.0, which run until the upgrade is complete, set only the change.
  create function set_outbox_organisation() returns trigger language plpgsql as $$
  begin
    new.organisation_id := (select organisation_id from metadata_changes where id = new.change_id);
    return new;
  end $$;
  create trigger outbox_has_organisation before insert on snapshot_outbox
    for each row when (new.organisation_id is null and new.change_id is not null)
    execute function set_outbox_organisation();

  drop function make_snapshot_due cascade;
  create function make_organisations_due() returns trigger language plpgsql as $$
  begin
    insert into snapshot_outbox (organisation_id) select distinct organisation_id from changed;
    return null;
  end $$;
  create function make_package_owners_due() returns trigger language plpgsql as $$
  begin
    insert into snapshot_outbox (organisation_id)
    select distinct i.organisation_id from changed c join isps i on i.id = c.isp_id;
    return null;
  end $$;
  create trigger new_agents_are_due after insert on agents referencing new table as changed
    for each statement execute function make_organisations_due();
  create trigger changed_agents_are_due after update on agents referencing new table as changed
    for each statement execute function make_organisations_due();
  create trigger deleted_agents_are_due after delete on agents referencing old table as changed
    for each statement execute function make_organisations_due();
  create trigger changed_isps_are_due after update on isps referencing new table as changed
    for each statement execute function make_organisations_due();
  create trigger changed_packages_are_due after update on packages referencing new table as changed
    for each statement execute function make_package_owners_due();
`;
