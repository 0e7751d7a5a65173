import type { Knex } from 'knex';

/**
 * Named sets of agents. An event per change is written to the audit: of a set with its name, of its members with
 * their number only, because an erased household must not remain in the audit.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table agent_sets (
      id               integer generated always as identity primary key,
      organisation_id  integer not null references organisations,
      name             text not null check (name <> ''),
      created_at       timestamptz not null default now(),
      unique (organisation_id, name),
      unique (organisation_id, id)
    );
    create table agent_set_members (
      organisation_id  integer not null,
      set_id           integer not null,
      agent_key        bigint not null references agents,
      primary key (set_id, agent_key),
      foreign key (organisation_id, set_id) references agent_sets (organisation_id, id)
        on delete cascade
    );
    create index on agent_set_members (agent_key);
    create index on agent_set_members (organisation_id);

    ${['agent_sets', 'agent_set_members']
      .map(
        (table) => `
    create policy own_organisation on ${table}
      using ((select sees_all_organisations()) or organisation_id = (select current_organisation()));
    alter table ${table} enable row level security;`,
      )
      .join('\n')}

    create trigger changes_are_audited after insert or update or delete on agent_sets
      for each row execute function audit_row_change('set', 'name');

    create function audit_set_members() returns trigger language plpgsql
      security definer set search_path from current as $$
    begin
      insert into audit_events (organisation_id, actor, action, target, details)
      select m.organisation_id, audit_actor(), tg_argv[0],
             'set ' || coalesce(max(s.name), m.set_id::text), jsonb_build_object('agents', count(*))
      from changed_members m left join agent_sets s on s.id = m.set_id
      group by m.organisation_id, m.set_id;
      return null;
    end $$;
    create trigger added_members_are_audited after insert on agent_set_members
      referencing new table as changed_members
      for each statement execute function audit_set_members('set.add_agents');
    create trigger removed_members_are_audited after delete on agent_set_members
      referencing old table as changed_members
      for each statement execute function audit_set_members('set.remove_agents');
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table agent_set_members, agent_sets;
    drop function audit_set_members;
  `);
}
