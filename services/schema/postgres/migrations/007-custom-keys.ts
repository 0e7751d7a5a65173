import type { Knex } from 'knex';

/**
 * The custom metadata keys of each organisation, so that a change can count them without reading all
 * agents. A key may be listed that no agent has any more: services/metadata/history/check-custom.ts
 * removes such keys when the limit is reached.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table custom_keys (
      organisation_id  integer not null references organisations,
      key              text not null,
      primary key (organisation_id, key)
    );
    insert into custom_keys (organisation_id, key)
    select distinct organisation_id, jsonb_object_keys(custom)
    from agent_metadata where superseded_at is null;

    create index agent_metadata_of_organisation on agent_metadata (organisation_id)
      where superseded_at is null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table custom_keys; drop index agent_metadata_of_organisation');
}
