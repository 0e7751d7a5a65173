import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';

/**
 * Erasures of households, and the identifiers that were erased, as keyed hashes: an erased agent cannot
 * be added again by an import, the loader or an operator in psql.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(tables);
  await insertSecret(knex);
  await knex.raw(hashFunctions);
  await knex.raw(refuseErasedAgents);
  await knex.raw(allowDeletingHistory);
  await knex.raw(`
    alter table exports drop constraint exports_status_check;
    alter table exports add constraint exports_status_check
      check (status in ('running', 'done', 'failed', 'cancelled', 'expired', 'erased'));
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    update exports set status = 'expired' where status = 'erased';
    alter table exports drop constraint exports_status_check;
    alter table exports add constraint exports_status_check
      check (status in ('running', 'done', 'failed', 'cancelled', 'expired'));
    drop trigger history_is_not_deleted on agent_metadata;
    create trigger history_is_not_deleted before delete on agent_metadata
      for each row execute function forbid_rewriting_history();
    drop trigger new_agents_are_not_erased on agents;
    drop trigger changed_agents_are_not_erased on agents;
    drop function refuse_erased_agents;
    drop function erased_at;
    drop function erased_id_hash;
    drop table erased_ids, erasures, erasure_secret;
  `);
}

const tables = `
  create table erasures (
    id               uuid primary key,
    organisation_id  integer not null references organisations,
    -- null for erasures by the command line
    token_id         integer references api_tokens,
    -- Internal numbers: without the rows of agents they identify no household.
    agent_keys       bigint[] not null,
    -- What the steps search for; null when the erasure has ended.
    identifiers      text[],
    steps_done       text[] not null default '{}',
    report           jsonb not null,
    attempts         integer not null default 0,
    waiting_for      text,
    last_error       text,
    created_at       timestamptz not null default now(),
    ended_at         timestamptz,
    check ((identifiers is null) = (ended_at is not null))
  );
  create index on erasures (organisation_id, created_at);
  create index on erasures (created_at) where ended_at is null;

  create table erased_ids (
    organisation_id  integer not null references organisations,
    hash             bytea not null check (octet_length(hash) = 32),
    erasure_id       uuid not null references erasures,
    erased_at        timestamptz not null default now(),
    primary key (organisation_id, hash)
  );
  create index on erased_ids (erasure_id);

  -- The key of the hashes, of this installation only, in the two forms that HMAC uses.
  create table erasure_secret (
    only_row   boolean primary key default true check (only_row),
    inner_key  bytea not null,
    outer_key  bytea not null
  );
`;

/** Postgres has SHA-256 but, without an extension, no HMAC: RFC 2104 with the padded keys prepared. */
async function insertSecret(knex: Knex): Promise<void> {
  const key = Buffer.concat([randomBytes(32), Buffer.alloc(32)]);
  await knex('erasure_secret').insert({
    inner_key: Buffer.from(key.map((byte) => byte ^ 0x36)),
    outer_key: Buffer.from(key.map((byte) => byte ^ 0x5c)),
  });
}

const hashFunctions = `
  -- The identifier is an agent_id or MAC address in its normalised form, or the digits of a unit_id.
  create function erased_id_hash(organisation integer, identifier text) returns bytea
  language sql stable as $$
    select sha256(outer_key || sha256(
      inner_key || convert_to(organisation || ' ' || identifier, 'UTF8')))
    from erasure_secret
  $$;

  -- When one of the identifiers was erased; null if none was.
  create function erased_at(organisation integer, variadic identifiers text[]) returns timestamptz
  language plpgsql stable as $$
  begin
    -- Most organisations have erased nothing: 100,000 new agents need no hashes then.
    if not exists (select from erased_ids e where e.organisation_id = organisation) then
      return null;
    end if;
    return (
      select min(e.erased_at)
      from unnest(identifiers) as given (identifier)
        join erased_ids e on e.organisation_id = organisation
          and e.hash = erased_id_hash(organisation, given.identifier)
    );
  end $$;
`;

// Per statement, like the other checks of large imports. An agent keeps an identifier that it had before.
const refuseErasedAgents = `
  create function refuse_erased_agents() returns trigger language plpgsql as $$
  declare
    refused agents;
  begin
    if tg_op = 'INSERT' then
      select * into refused from added a
      where erased_at(a.organisation_id, a.agent_id_normalised, a.unit_id::text,
                      a.mac_address_normalised) is not null limit 1;
    else
      select a.* into refused from added a join replaced r on r.id = a.id
      where (a.agent_id_normalised <> r.agent_id_normalised
             and erased_at(a.organisation_id, a.agent_id_normalised) is not null)
         or (a.unit_id is distinct from r.unit_id
             and erased_at(a.organisation_id, a.unit_id::text) is not null)
         or (a.mac_address_normalised is distinct from r.mac_address_normalised
             and erased_at(a.organisation_id, a.mac_address_normalised) is not null)
      limit 1;
    end if;
    if refused.id is not null then
      raise check_violation using table = 'agents',
        message = format('agent %s was erased: netpanel agents allow lifts this', refused.agent_id);
    end if;
    return null;
  end $$;
  create trigger new_agents_are_not_erased after insert on agents
    referencing new table as added
    for each statement execute function refuse_erased_agents();
  create trigger changed_agents_are_not_erased after update on agents
    referencing old table as replaced new table as added
    for each statement execute function refuse_erased_agents();
`;

// services/metadata/erasure/steps/remove-from-registry.ts sets netpanel.erasing for its transaction.
const allowDeletingHistory = `
  drop trigger history_is_not_deleted on agent_metadata;
  create trigger history_is_not_deleted before delete on agent_metadata
    for each row when (current_setting('netpanel.erasing', true) is distinct from 'on')
    execute function forbid_rewriting_history();
`;
