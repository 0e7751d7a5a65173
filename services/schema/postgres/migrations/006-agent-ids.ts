import type { Knex } from 'knex';

/**
 * Compares MAC addresses without punctuation and every other id exactly. Before, all ids were compared
 * without punctuation and without characters outside ASCII, so `site1-11` was also found as `site11-1`:
 * merged_agent_ids lists the ids that changes have used for an agent with another id.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(functions);
  await knex.raw(rejectEqualIds);
  await knex.raw(mergedIds);
  await knex.raw(newColumns);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table merged_agent_ids;
    alter table agents drop column agent_id_normalised, drop column mac_address_normalised;
    drop index agents_plain_agent_id, agents_plain_mac_address;
    drop function plain_id;
    drop function normalise_id;
    alter table agents
      add column agent_id_normalised text not null generated always as
        (lower(regexp_replace(agent_id, '[^A-Za-z0-9]', '', 'g'))) stored,
      add column mac_address_normalised text generated always as
        (lower(regexp_replace(mac_address, '[^A-Za-z0-9]', '', 'g'))) stored;
    create unique index on agents (organisation_id, agent_id_normalised);
    create unique index on agents (organisation_id, mac_address_normalised);
  `);
}

// services/registry has the same functions in TypeScript.
const functions = `
  create function normalise_id(id text) returns text language sql immutable parallel safe as $$
    select case
      when id ~* '^([0-9a-f]{12}|[0-9a-f]{2}([:.-])[0-9a-f]{2}(\\2[0-9a-f]{2}){4}|[0-9a-f]{4}([:.-])[0-9a-f]{4}\\4[0-9a-f]{4}|[0-9a-f]{6}[:.-][0-9a-f]{6})$'
        then lower(regexp_replace(id, '[:.-]', '', 'g') collate "C")
      else normalize(id, nfc)
    end
  $$;
  create function plain_id(id text) returns text language sql immutable parallel safe as $$
    select lower(regexp_replace(id,
      '[\\u0020-\\u002f\\u003a-\\u0040\\u005b-\\u0060\\u007b-\\u007e]', '', 'g') collate "C")
  $$;
`;

// Only possible for ids that differ in their Unicode form, such as é as one or two characters.
const rejectEqualIds = `
  do $$
  declare
    equal_ids text;
  begin
    select string_agg(format('organisation %s: %s', organisation_id, ids), '; ') into equal_ids
    from (
      select organisation_id, string_agg(format('%s (key %s)', agent_id, id), ', ') as ids
      from agents group by organisation_id, normalise_id(agent_id) having count(*) > 1 limit 20
    ) as equal;
    if equal_ids is not null then
      raise exception 'rename agents whose ids are the same text in Unicode NFC: %', equal_ids;
    end if;
  end $$;
`;

// The agents of a change are not recorded. A selector with an agent_id matched the one agent with the
// same old form.
const mergedIds = `
  create table merged_agent_ids (
    organisation_id  integer not null references organisations,
    agent_key        bigint not null,
    agent_id         text not null,
    -- The id in the selector of a change.
    other_id         text not null,
    change_count     bigint not null,
    last_change_at   timestamptz not null,
    primary key (organisation_id, agent_key, other_id)
  );
  insert into merged_agent_ids
  select a.organisation_id, a.id, a.agent_id, c.other_id, count(*), max(c.recorded_at)
  from (
    select organisation_id, recorded_at, request #>> '{agent,agent_id}' as other_id
    from metadata_changes
    where request #>> '{agent,agent_id}' is not null
  ) as c
    join agents a on a.organisation_id = c.organisation_id
      and a.agent_id_normalised = lower(regexp_replace(c.other_id, '[^A-Za-z0-9]', '', 'g'))
  where normalise_id(a.agent_id) <> normalise_id(c.other_id)
  group by a.organisation_id, a.id, a.agent_id, c.other_id;
`;

const newColumns = `
  alter table agents drop column agent_id_normalised, drop column mac_address_normalised;
  alter table agents
    add column agent_id_normalised text not null
      generated always as (normalise_id(agent_id)) stored,
    add column mac_address_normalised text
      generated always as (normalise_id(mac_address)) stored;
  create unique index on agents (organisation_id, agent_id_normalised);
  create unique index on agents (organisation_id, mac_address_normalised);
  -- Collation C, so that LIKE 'abc%' uses the index.
  create index agents_plain_agent_id on agents (organisation_id, (plain_id(agent_id)) collate "C");
  create index agents_plain_mac_address
    on agents (organisation_id, (plain_id(mac_address)) collate "C");
`;
