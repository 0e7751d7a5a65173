import type { Knex } from 'knex';

/**
 * Bitemporal history: `valid` is when it was true of the household, `recorded_at` to
 * `superseded_at` is when we believed it. Current belief is the rows without superseded_at.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create extension if not exists btree_gist;

    create table metadata_changes (
      id               bigint generated always as identity primary key,
      organisation_id  integer not null references organisations,
      -- null for what the command line did
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
      recorded_by      bigint not null references metadata_changes,
      superseded_at    timestamptz,
      superseded_by    bigint references metadata_changes,

      foreign key (agent_key, organisation_id) references agents (id, organisation_id),
      foreign key (isp_id, organisation_id) references isps (id, organisation_id),
      foreign key (package_id, isp_id) references packages (id, isp_id),
      check (package_id is null or isp_id is not null),
      check ((superseded_at is null) = (superseded_by is null)),
      -- Stretches are whole seconds, [from, to): the ClickHouse dictionary looks up by the second.
      check (lower_inc(valid) or lower_inf(valid)),
      check (not upper_inc(valid)),
      check (lower_inf(valid) or date_trunc('second', lower(valid)) = lower(valid)),

      constraint no_two_current_stretches_overlap
        exclude using gist (agent_key with =, valid with &&) where (superseded_at is null)
    );
    create index on agent_metadata (agent_key) where superseded_at is null;
    create index on agent_metadata (recorded_by);
    create index on agent_metadata (superseded_by) where superseded_by is not null;

    create function forbid_rewriting_history() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' then
        raise exception 'metadata history is never deleted';
      end if;
      if old.superseded_at is not null
         or new.superseded_at is null
         or (new.id, new.agent_key, new.organisation_id, new.valid, new.timezone, new.custom,
             new.recorded_at, new.recorded_by)
            is distinct from
            (old.id, old.agent_key, old.organisation_id, old.valid, old.timezone, old.custom,
             old.recorded_at, old.recorded_by)
         or new.isp_id is distinct from old.isp_id
         or new.package_id is distinct from old.package_id then
        raise exception 'metadata history is superseded, never rewritten';
      end if;
      return new;
    end $$;
    create trigger history_is_append_only before update or delete on agent_metadata
      for each row execute function forbid_rewriting_history();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    'drop table agent_metadata, metadata_changes; drop function forbid_rewriting_history',
  );
}
