import type { Knex } from 'knex';

/**
 * The outbox names the agents of a change, so that only they are published, and the earliest moment whose
 * metadata it changes. Services of earlier releases set neither: all agents are published, and the change
 * counts as one of any time.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table snapshot_outbox
      -- null: any agent of the organisation
      add column agent_keys bigint[],
      -- null: any time
      add column affected_from timestamptz;

    alter table snapshot_organisations
      -- Of the agents that changed since the snapshot; 0 if there is none.
      add column change_publication bigint not null default 0,
      add column changed_agents integer not null default 0,
      -- When the first of them changed.
      add column changed_since timestamptz;

    create function make_agents_due() returns trigger language plpgsql as $$
    begin
      insert into snapshot_outbox (organisation_id, agent_keys)
      select organisation_id, array_agg(id) from changed group by organisation_id;
      return null;
    end $$;
    drop trigger new_agents_are_due on agents;
    drop trigger changed_agents_are_due on agents;
    create trigger new_agents_are_due after insert on agents referencing new table as changed
      for each statement execute function make_agents_due();
    create trigger changed_agents_are_due after update on agents referencing new table as changed
      for each statement execute function make_agents_due();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function make_agents_due cascade;
    create trigger new_agents_are_due after insert on agents referencing new table as changed
      for each statement execute function make_organisations_due();
    create trigger changed_agents_are_due after update on agents referencing new table as changed
      for each statement execute function make_organisations_due();
    alter table snapshot_organisations
      drop column change_publication, drop column changed_agents, drop column changed_since;
    alter table snapshot_outbox drop column agent_keys, drop column affected_from;
  `);
}
