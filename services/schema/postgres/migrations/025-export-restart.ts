import type { Knex } from 'knex';

/**
 * What another replica needs to run an export again, and which attempt runs. The job has the values of the
 * request, so it is removed when the export ends, by any process: an erasure must not miss it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table exports add column job jsonb, add column attempt smallint not null default 1;
    create function remove_job_of_ended_export() returns trigger language plpgsql as $$
    begin
      new.job := null;
      return new;
    end $$;
    create trigger remove_job before update on exports for each row
      when (new.status <> 'running' and new.job is not null)
      execute function remove_job_of_ended_export();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger remove_job on exports;
    drop function remove_job_of_ended_export();
    alter table exports drop column job, drop column attempt;
  `);
}
