import type { Knex } from 'knex';

/**
 * The privacy floor: the least number of agents of a point, of an organisation and of a token. The larger one
 * holds. null: none. An export records the floor that it was made with.
 *
 * A metadata token has none: it reads single agents.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table organisations add column min_agents integer
      constraint floor_of_organisation check (min_agents between 2 and 1000000);
    alter table api_tokens add column min_agents integer
      constraint floor_of_token check (min_agents between 2 and 1000000),
      add constraint floor_of_data_token check (min_agents is null or interface = 'data');
    alter table exports add column min_agents integer;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table organisations drop column min_agents;
    alter table api_tokens drop column min_agents;
    alter table exports drop column min_agents;
  `);
}
