import type { Knex } from 'knex';

/**
 * Every change of data in the snapshot requests a new one, whether by a service, the command line or an
 * operator in psql. snapshot_published has the version that ClickHouse should have.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create sequence snapshot_version_numbers;

    create table snapshot_published (
      only_row      boolean primary key default true check (only_row),
      version       bigint not null,
      row_count     bigint not null,
      -- a UInt64 of ClickHouse, out of the range of bigint
      content_hash  numeric(20) not null,
      published_at  timestamptz not null
    );

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

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function make_snapshot_due cascade;
    drop table snapshot_published;
    drop sequence snapshot_version_numbers;
  `);
}
