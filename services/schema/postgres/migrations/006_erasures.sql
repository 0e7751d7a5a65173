-- Erasures of households, and the identifiers that were erased, as keyed hashes: an erased agent cannot be added again
-- by an import, the loader or an operator in psql.

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

-- The key of the hashes, of this installation only. Postgres has SHA-256 but, without an extension, no HMAC: RFC 2104
-- with the padded key prepared in the two forms that it uses.
create table erasure_secret (
  only_row   boolean primary key default true check (only_row),
  inner_key  bytea not null,
  outer_key  bytea not null
);
insert into erasure_secret (inner_key, outer_key)
select string_agg(set_byte('\x00', 0, byte # 54), '' order by position),  -- 0x36
       string_agg(set_byte('\x00', 0, byte # 92), '' order by position)   -- 0x5c
from (
  select position, case when position < 32 then get_byte(key, position) else 0 end as byte
  from (
      -- 366 random bits.
      select sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))
    ) as secret (key),
    generate_series(0, 63) as position
) as padded;

-- The identifier is an agent_id or MAC address in its normalised form, or the digits of a unit_id. With the rights of
-- the owner: the services can compare hashes of identifiers without reading the key.
create function erased_id_hash(organisation integer, identifier text) returns bytea
language sql stable security definer set search_path from current as $$
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

-- Per statement, like the other checks of large imports. An agent keeps an identifier that it had before.
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

-- Metadata changes are append-only for the services, but an erasure must replace requests that name the household.
-- Only while it is running, and only with its own id.
create function redact_metadata_changes(erasure uuid, pattern text) returns bigint
  language plpgsql security definer set search_path from current as $$
declare
  redacted bigint;
begin
  update metadata_changes c set request = jsonb_build_object('erased', e.id)
  from erasures e
  where e.id = erasure and e.ended_at is null and c.organisation_id = e.organisation_id
    and c.request::text ~* pattern
    -- A request that was replaced before; the id in it could look like an identifier.
    and c.request::text !~ '^\{"erased": "[-0-9a-f]{36}"\}$';
  get diagnostics redacted = row_count;
  return redacted;
end $$;
