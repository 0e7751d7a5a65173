import type { Knex } from 'knex';

/**
 * Retention: when each rule of services/metadata/retention last ran, and functions that delete old
 * metadata. History stays append-only: only these functions may delete, and only what is superseded.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table retention_state (
      rule         text primary key,
      created_at   timestamptz not null default now(),
      -- the last complete run, and the rows it removed
      finished_at  timestamptz,
      removed      bigint not null default 0,
      -- of the last run; null if it was complete
      failure      text
    );

    create index on agent_metadata (superseded_at) where superseded_at is not null;

    drop trigger history_is_not_deleted on agent_metadata;
    create trigger history_is_not_deleted before delete on agent_metadata
      for each row when (current_setting('netpanel.retention', true) is distinct from 'on'
        and current_setting('netpanel.erasing', true) is distinct from 'on')
      execute function forbid_rewriting_history();
    drop trigger changes_are_not_deleted on metadata_changes;
    create trigger changes_are_not_deleted before delete on metadata_changes
      for each row when (current_setting('netpanel.retention', true) is distinct from 'on')
      execute function forbid_rewriting_history();

    create function delete_metadata_superseded_before(deleted_before timestamptz, max_rows integer)
      returns bigint language plpgsql security definer set search_path from current as $$
    declare
      deleted bigint;
    begin
      perform set_config('netpanel.retention', 'on', true);
      delete from agent_metadata where id in (
        select id from agent_metadata where superseded_at < deleted_before
        order by superseded_at limit max_rows);
      get diagnostics deleted = row_count;
      perform set_config('netpanel.retention', 'off', true);
      return deleted;
    end $$;

    -- Changes that no row of the history refers to, and that are not waiting for a snapshot.
    create view unused_metadata_changes as
      select id, recorded_at from metadata_changes c
      where not exists (select from agent_metadata m where m.recorded_by = c.id)
        and not exists (select from agent_metadata m where m.superseded_by = c.id)
        and not exists (select from snapshot_outbox o where o.change_id = c.id);

    create function delete_unused_changes_before(deleted_before timestamptz, max_rows integer)
      returns bigint language plpgsql security definer set search_path from current as $$
    declare
      deleted bigint;
    begin
      perform set_config('netpanel.retention', 'on', true);
      delete from metadata_changes where id in (
        select id from unused_metadata_changes where recorded_at < deleted_before
        order by id limit max_rows);
      get diagnostics deleted = row_count;
      perform set_config('netpanel.retention', 'off', true);
      return deleted;
    end $$;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function delete_unused_changes_before, delete_metadata_superseded_before;
    drop view unused_metadata_changes;
    drop table retention_state;
    drop index agent_metadata_superseded_at_idx;
    drop trigger history_is_not_deleted on agent_metadata;
    create trigger history_is_not_deleted before delete on agent_metadata
      for each row when (current_setting('netpanel.erasing', true) is distinct from 'on')
      execute function forbid_rewriting_history();
    drop trigger changes_are_not_deleted on metadata_changes;
    create trigger changes_are_not_deleted before delete on metadata_changes
      for each row execute function forbid_rewriting_history();
  `);
}
