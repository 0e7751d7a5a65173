import type { Knex } from 'knex';

/**
 * Access is explicit: an organisation has everything of a kind (all_metrics, all_tests) or exactly its grants.
 *
 * Up to 0.1.0 an organisation without grants of a kind had everything of that kind. One without any grants keeps
 * that. One with grants of only one kind was meant to be limited, so the other kind closes: it gets nothing of it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table organisations
      add column all_metrics boolean not null default false,
      add column all_tests boolean not null default false;

    update organisations set all_metrics = true, all_tests = true
    where id not in (select organisation_id from grants);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table organisations drop column all_metrics, drop column all_tests');
}
