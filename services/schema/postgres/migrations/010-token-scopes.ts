import type { Knex } from 'knex';

/** Tokens have scopes. Existing ones keep what they could do: all of their interface up to 0.1.0. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- A token without scopes can do nothing.
    alter table api_tokens add column scopes text[] not null default '{}';

    update api_tokens set scopes = case interface
      when 'data' then array['data:read', 'data:export']
      else array['metadata:read', 'metadata:write']
    end;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table api_tokens drop column scopes');
}
