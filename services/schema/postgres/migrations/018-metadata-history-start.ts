import type { Knex } from 'knex';

/**
 * Since when the metadata history is complete. Retention deletes superseded rows, without which metadata as
 * it was recorded before their end cannot be reproduced (knownAt).
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table metadata_history_start (
      only_row    boolean primary key default true check (only_row),
      kept_since  timestamptz not null
    );
    insert into metadata_history_start (kept_since)
    select coalesce(max((details ->> 'before')::timestamptz), '-infinity')
    from audit_events where action = 'retention.remove' and target = 'metadata_versions';

    ${deleteFunction(
      `with deleted_rows as (${deletion} returning superseded_at)
      select count(*), max(superseded_at) into deleted, last_end from deleted_rows;
      update metadata_history_start set kept_since = last_end where kept_since < last_end;`,
    )}
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    ${deleteFunction(`${deletion}; get diagnostics deleted = row_count;`)}
    drop table metadata_history_start;
  `);
}

const deletion = `delete from agent_metadata where id in (
        select id from agent_metadata where superseded_at < deleted_before
        order by superseded_at limit max_rows)`;

const deleteFunction = (statements: string) => `
    create or replace function delete_metadata_superseded_before(
      deleted_before timestamptz, max_rows integer)
      returns bigint language plpgsql security definer set search_path from current as $$
    declare
      deleted bigint;
      last_end timestamptz;
    begin
      perform set_config('netpanel.retention', 'on', true);
      ${statements}
      perform set_config('netpanel.retention', 'off', true);
      return deleted;
    end $$;`;
