import type { Knex } from 'knex';

/** Measurement agents with their fixed properties. Metadata that changes over time is in agent_metadata. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table agents (
      -- agent_key in ClickHouse
      id               bigint generated always as identity primary key,
      organisation_id  integer not null references organisations,
      agent_id         text not null check (agent_id <> ''),
      unit_id          bigint check (unit_id >= 0),
      mac_address      text,
      kind             text not null check (kind in ('whitebox', 'cpe', 'mobile', 'web')),
      base             text not null default '',
      country          text,
      created_at       timestamptz not null default now(),

      -- Lookups ignore punctuation and case: 'AA:bb-01' is found as aabb01.
      agent_id_normalised     text not null generated always as
        (lower(regexp_replace(agent_id, '[^A-Za-z0-9]', '', 'g'))) stored,
      mac_address_normalised  text generated always as
        (lower(regexp_replace(mac_address, '[^A-Za-z0-9]', '', 'g'))) stored,

      unique (organisation_id, agent_id),
      unique (id, organisation_id)
    );
    create unique index on agents (organisation_id, agent_id_normalised);
    create unique index on agents (organisation_id, unit_id);
    create unique index on agents (organisation_id, mac_address_normalised);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table agents');
}
