import type { Knex } from 'knex';

/**
 * Bitemporal history: `valid` is the validity period, `recorded_at` to `superseded_at` is the time in
 * which we had this information. Rows without superseded_at are current.
 *
 * One change can write 200,000 rows, so triggers check the rules per statement and not per row: an
 * exclusion constraint and five foreign keys took five times as long as the change itself.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(tables);
  await knex.raw(checkNewPeriods);
  await knex.raw(newPeriodsTrigger);
  await knex.raw(historyIsAppendOnly);
  await knex.raw(keepReferencedRows);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table agent_metadata cascade;
    drop table metadata_changes cascade;
    drop function check_new_periods, forbid_rewriting_history,
                  keep_agents_with_history, keep_isps_in_history, keep_packages_in_history cascade;
  `);
}

const tables = `
  create table metadata_changes (
    id               bigint generated always as identity primary key,
    organisation_id  integer not null references organisations,
    -- null for changes by the command line
    token_id         integer references api_tokens,
    recorded_at      timestamptz not null default now(),
    request          jsonb not null,
    agent_count      integer not null
  );
  create index on metadata_changes (organisation_id, recorded_at);

  create table agent_metadata (
    id               bigint generated always as identity primary key,
    agent_key        bigint not null,
    organisation_id  integer not null,
    valid            tstzrange not null check (not isempty(valid)),
    isp_id           integer,
    package_id       integer,
    timezone         text,
    custom           jsonb not null default '{}' check (jsonb_typeof(custom) = 'object'),
    recorded_at      timestamptz not null,
    recorded_by      bigint not null,
    superseded_at    timestamptz,
    superseded_by    bigint,

    check (package_id is null or isp_id is not null),
    check ((superseded_at is null) = (superseded_by is null)),
    -- Periods are whole seconds, [from, to): lookups in the ClickHouse dictionary are by the second.
    check (lower_inc(valid) or lower_inf(valid)),
    check (not upper_inc(valid)),
    check (lower_inf(valid) or date_trunc('second', lower(valid)) = lower(valid)),
    check (upper_inf(valid) or date_trunc('second', upper(valid)) = upper(valid))
  );
  create index on agent_metadata (agent_key) where superseded_at is null;
`;

// The lock serialises the writers of an organisation, so the check sees committed rows of the others;
// with any other isolation level it would see the database as it was before the wait.
// 1 is the namespace of the lock: services/registry/lock-history.ts takes the same lock earlier.
export const checkNewPeriods = `
  create or replace function check_new_periods() returns trigger language plpgsql as $$
  begin
    if current_setting('transaction_isolation') <> 'read committed' then
      raise exception 'metadata history must be written with isolation level read committed';
    end if;
    perform pg_advisory_xact_lock(1, organisation_id)
      from (select distinct organisation_id from inserted order by 1) as touched;

    if exists (
      select from inserted i
        join agent_metadata m on m.agent_key = i.agent_key and m.superseded_at is null
      where i.superseded_at is null and m.id <> i.id and m.valid && i.valid
    ) then
      raise exclusion_violation using table = 'agent_metadata',
        message = 'two current periods of an agent overlap (no_overlapping_periods)';
    end if;

    if exists (
      select from inserted i
        left join agents a on a.id = i.agent_key and a.organisation_id = i.organisation_id
        left join isps s on s.id = i.isp_id and s.organisation_id = i.organisation_id
        left join packages p on p.id = i.package_id and p.isp_id = i.isp_id
        left join metadata_changes c
          on c.id = i.recorded_by and c.organisation_id = i.organisation_id
      where a.id is null or c.id is null
         or (i.isp_id is not null and s.id is null)
         or (i.package_id is not null and p.id is null)
    ) then
      raise foreign_key_violation using table = 'agent_metadata',
        message = 'violates foreign key: the organisation does not have the agent, ISP, package or change';
    end if;
    return null;
  end $$;
`;

const newPeriodsTrigger = `
  create trigger new_periods_do_not_overlap after insert on agent_metadata
    referencing new table as inserted
    for each statement execute function check_new_periods();
`;

const historyIsAppendOnly = `
  create function forbid_rewriting_history() returns trigger language plpgsql as $$
  begin
    if tg_op = 'DELETE' then
      raise exception 'metadata history cannot be deleted';
    end if;
    raise exception 'metadata history cannot be rewritten, only superseded';
  end $$;
  create trigger history_is_not_deleted before delete on agent_metadata
    for each row execute function forbid_rewriting_history();
  create trigger history_is_append_only before update on agent_metadata
    for each row when (
      old.superseded_at is not null
      or new.superseded_at is null
      or (new.id, new.agent_key, new.organisation_id, new.valid, new.isp_id, new.package_id,
          new.timezone, new.custom, new.recorded_at, new.recorded_by)
         is distinct from
         (old.id, old.agent_key, old.organisation_id, old.valid, old.isp_id, old.package_id,
          old.timezone, old.custom, old.recorded_at, old.recorded_by)
    ) execute function forbid_rewriting_history();
  create trigger changes_are_not_deleted before delete on metadata_changes
    for each row execute function forbid_rewriting_history();
`;

// Like a foreign key, prevents the deletion of referenced rows.
const keepReferencedRows = [
  { table: 'agents', column: 'agent_key', name: 'keep_agents_with_history' },
  { table: 'isps', column: 'isp_id', name: 'keep_isps_in_history' },
  { table: 'packages', column: 'package_id', name: 'keep_packages_in_history' },
]
  .map(
    ({ table, column, name }) => `
  create function ${name}() returns trigger language plpgsql as $$
  begin
    if exists (select from agent_metadata where ${column} = old.id) then
      raise foreign_key_violation using table = '${table}',
        message = 'violates foreign key: metadata history references this row of ${table}';
    end if;
    return old;
  end $$;
  create trigger ${name} before delete on ${table} for each row execute function ${name}();`,
  )
  .join('\n');
