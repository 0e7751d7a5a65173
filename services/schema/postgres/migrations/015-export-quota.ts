import type { Knex } from 'knex';

/** The export files of an organisation that may still exist: their size is summed up with every heartbeat. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    'create index exports_kept on exports (organisation_id, status) where swept_at is null',
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index exports_kept');
}
