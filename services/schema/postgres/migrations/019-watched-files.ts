import type { Knex } from 'knex';

/**
 * Files that netpanel watch has found, one row per content. A file that changes gets a new version, and so a
 * new row: two machines with different files of the same name do not undo each other's records.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table watched_files (
      organisation_id  integer not null references organisations,
      -- A folder, or s3://bucket/prefix/.
      place            text not null,
      -- Relative to the place: httpget/day.csv.
      name             text not null,
      -- Of the content: size and modification time, or the ETag.
      version          text not null,
      size_bytes       bigint not null,
      modified_at      timestamptz not null,
      test             text,
      -- loading: now, or until a watcher was killed, which an advisory lock tells apart. retrying: after a
      -- temporary failure. failed: the file is bad.
      status           text not null check (status in ('loading', 'loaded', 'retrying', 'failed')),
      attempts         integer not null default 1,
      next_attempt_at  timestamptz,
      started_at       timestamptz not null default now(),
      ended_at         timestamptz,
      message          text,
      summary          jsonb,
      primary key (organisation_id, place, name, version),
      check ((status = 'loading') = (ended_at is null)),
      check ((status = 'retrying') = (next_attempt_at is not null))
    );
    create index on watched_files (ended_at);
    create policy own_organisation on watched_files
      using ((select sees_all_organisations()) or organisation_id = (select current_organisation()));
    alter table watched_files enable row level security;

    create function delete_watched_files_before(deleted_before timestamptz, max_rows integer)
      returns bigint language plpgsql security definer set search_path from current as $$
    declare
      deleted bigint;
    begin
      delete from watched_files where ctid = any(array(
        select ctid from watched_files where ended_at < deleted_before limit max_rows));
      get diagnostics deleted = row_count;
      return deleted;
    end $$;
    revoke execute on function delete_watched_files_before from public;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function delete_watched_files_before;
    drop table watched_files;
  `);
}
