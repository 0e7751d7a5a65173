import type { Knex } from 'knex';

/**
 * Saved views of the explorer; and, in the metadata history, who recorded the values of a period that a later
 * change has only shortened.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(savedViews);
  await knex.raw(firstRecorded);
  await knex.raw(fillFirstRecorded);
  await knex.raw(historyIsAppendOnly(columnsOfHistory));
  await knex.raw(unusedChanges(['recorded_by', 'superseded_by', 'first_recorded_by']));
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(unusedChanges(['recorded_by', 'superseded_by']));
  await knex.raw(historyIsAppendOnly(columns));
  await knex.raw(`
    drop index agent_metadata_first_recorded_by, agent_metadata_superseded_agent;
    alter table agent_metadata drop column first_recorded_at, drop column first_recorded_by;
    drop table saved_views;
  `);
}

// No trigger for audit_events: a name or state can contain the id of a household. The audit of requests has who
// saved and deleted which view.
const savedViews = `
  create table saved_views (
    id               uuid primary key default gen_random_uuid(),
    organisation_id  integer not null references organisations,
    token_id         integer not null references api_tokens,
    name             text not null check (char_length(name) between 1 and 100),
    -- What follows the # in the URL of the explorer.
    state            text not null check (octet_length(state) between 1 and 8000),
    -- The privacy floor of the token. Tokens with a larger one do not see the view: its filters may name agents.
    min_agents       integer not null default 0,
    created_at       timestamptz not null default now(),
    unique (organisation_id, name)
  );
  create policy own_organisation on saved_views
    using ((select sees_all_organisations()) or organisation_id = (select current_organisation()));
  alter table saved_views enable row level security;
`;

// recorded_at stays the time since which the row is part of the history, which knownAt needs: before that, the longer
// period was.
const firstRecorded = `
  alter table agent_metadata
    -- Of the change that set the values; null: the same as recorded_at and recorded_by.
    add column first_recorded_at timestamptz,
    add column first_recorded_by bigint,
    add constraint first_recorded check ((first_recorded_at is null) = (first_recorded_by is null));
  create index agent_metadata_first_recorded_by on agent_metadata (first_recorded_by)
    where first_recorded_by is not null;
  -- For the changes of an agent.
  create index agent_metadata_superseded_agent on agent_metadata (agent_key)
    where superseded_at is not null;
`;

// A row continues another if its change superseded that one, and both have the same start and values. The loop
// follows periods that were shortened several times.
const fillFirstRecorded = `
  alter table agent_metadata disable trigger history_is_append_only;
  do $$
  begin
    loop
      update agent_metadata shorter
      set first_recorded_at = coalesce(longer.first_recorded_at, longer.recorded_at),
          first_recorded_by = coalesce(longer.first_recorded_by, longer.recorded_by)
      from agent_metadata longer
      where longer.agent_key = shorter.agent_key and longer.superseded_by = shorter.recorded_by
        and lower(longer.valid) is not distinct from lower(shorter.valid)
        and longer.valid @> shorter.valid
        and (longer.isp_id, longer.package_id, longer.timezone, longer.custom)
          is not distinct from (shorter.isp_id, shorter.package_id, shorter.timezone, shorter.custom)
        and shorter.first_recorded_by is distinct from
          coalesce(longer.first_recorded_by, longer.recorded_by);
      exit when not found;
    end loop;
  end $$;
  alter table agent_metadata enable trigger history_is_append_only;
`;

const columns = `id, agent_key, organisation_id, valid, isp_id, package_id, timezone, custom, recorded_at, recorded_by`;
export const columnsOfHistory = `${columns}, first_recorded_at, first_recorded_by`;

export const historyIsAppendOnly = (names: string) => `
  drop trigger history_is_append_only on agent_metadata;
  create trigger history_is_append_only before update on agent_metadata
    for each row when (
      old.superseded_at is not null
      or new.superseded_at is null
      or (${prefixed('new', names)}) is distinct from (${prefixed('old', names)})
    ) execute function forbid_rewriting_history();
`;

const prefixed = (row: string, names: string) => names.replaceAll(/\w+/g, `${row}.$&`);

const unusedChanges = (references: readonly string[]) => `
  create or replace view unused_metadata_changes as
    select id, recorded_at from metadata_changes c
    where ${references
      .map((column) => `not exists (select from agent_metadata m where m.${column} = c.id) and`)
      .join('\n      ')}
      not exists (select from snapshot_outbox o where o.change_id = c.id);
`;
