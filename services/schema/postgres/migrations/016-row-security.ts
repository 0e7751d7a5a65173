import type { Knex } from 'knex';

/**
 * Row-level security: a role that does not own the tables sees the rows of one organisation, the one in
 * the setting netpanel.organisation; without the setting none, with `all` those of all organisations.
 *
 * Not forced on the owner: pg_dump, migrations, the command line and the functions below work as the
 * owner, and pg_dump refuses to dump a table whose policies apply to it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(organisationOfSession);
  await knex.raw(policies);
  await knex.raw(functionsOfOwner);
  await knex.raw(plainIdColumns);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    ${tenantTables
      .map(
        ({ table }) => `drop policy own_organisation on ${table};
    alter table ${table} disable row level security;`,
      )
      .join('\n')}
    drop function sees_all_organisations, current_organisation;
    drop function running_exports, organisation_of_export, redact_metadata_changes,
                  delete_call_counts_before;
    alter function erased_id_hash(integer, text) security invoker;
    alter function erased_id_hash(integer, text) reset search_path;
    grant execute on function delete_audit_events_before, delete_metadata_superseded_before,
                  delete_unused_changes_before, erased_id_hash to public;
    alter table agents drop column agent_id_plain, drop column mac_address_plain;
    create index agents_plain_agent_id on agents (organisation_id, (plain_id(agent_id)) collate "C");
    create index agents_plain_mac_address
      on agents (organisation_id, (plain_id(mac_address)) collate "C");
  `);
}

// services/shared/postgres/in-organisation.ts and postgres-pools.ts set it.
const organisationOfSession = `
  create function current_organisation() returns integer language sql stable parallel safe as $$
    select nullif(nullif(current_setting('netpanel.organisation', true), ''), 'all')::integer
  $$;
  create function sees_all_organisations() returns boolean language sql stable parallel safe as $$
    select current_setting('netpanel.organisation', true) is not distinct from 'all'
  $$;
`;

const ownRows = 'organisation_id = (select current_organisation())';

const tenantTables = [
  { table: 'organisations', visible: 'id = (select current_organisation())' },
  {
    table: 'packages',
    visible: `exists (select from isps i where i.id = isp_id and i.${ownRows})`,
  },
  ...[
    'agent_metadata',
    'agents',
    'api_call_counts',
    'api_tokens',
    'audit_events',
    'custom_keys',
    'erased_ids',
    'erasures',
    'exports',
    'grants',
    'isps',
    'merged_agent_ids',
    'metadata_changes',
    'snapshot_organisations',
    'snapshot_outbox',
  ].map((table) => ({ table, visible: ownRows })),
];

// The subqueries are evaluated once per statement, not once per row.
const policies = tenantTables
  .map(
    ({ table, visible }) => `
  create policy own_organisation on ${table}
    using ((select sees_all_organisations()) or ${visible});
  alter table ${table} enable row level security;`,
  )
  .join('\n');

/**
 * What a service may do beyond its rights, and no more: these run with the rights of the owner.
 * services/schema/postgres/grant-roles.ts says which role may call them.
 */
const functionsOfOwner = `
  -- Of all organisations: the limit in total is checked in the transaction of one organisation.
  create function running_exports() returns bigint language sql stable
    security definer set search_path from current as $$
    select count(*) from exports where status = 'running' and swept_at is null
  $$;

  -- A signed link to an export needs no token, so its request has no organisation yet.
  create function organisation_of_export(export_id uuid) returns integer language sql stable
    security definer set search_path from current as $$
    select organisation_id from exports where id = export_id
  $$;

  -- Metadata changes are append-only for the services, but an erasure must replace requests that name
  -- the household. Only while it is running, and only with its own id.
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
      and c.request::text !~ '^\\{"erased": "[-0-9a-f]{36}"\\}$';
    get diagnostics redacted = row_count;
    return redacted;
  end $$;

  create function delete_call_counts_before(deleted_before timestamptz, max_rows integer)
    returns bigint language plpgsql security definer set search_path from current as $$
  declare
    deleted bigint;
  begin
    delete from api_call_counts where ctid = any(array(
      select ctid from api_call_counts
      where day < (deleted_before at time zone 'UTC')::date limit max_rows));
    get diagnostics deleted = row_count;
    return deleted;
  end $$;

  -- The services can compare hashes of identifiers without reading the key.
  alter function erased_id_hash(integer, text) security definer;
  alter function erased_id_hash(integer, text) set search_path from current;

  revoke execute on function running_exports, organisation_of_export, redact_metadata_changes,
    delete_call_counts_before, delete_audit_events_before, delete_metadata_superseded_before,
    delete_unused_changes_before, erased_id_hash from public;
`;

/**
 * Under row-level security Postgres uses an index only for conditions that are leakproof: plain_id and
 * LIKE are not, the comparisons of a stored column are. Collation C, so that a prefix is a range.
 */
export const plainIdColumns = `
  drop index agents_plain_agent_id, agents_plain_mac_address;
  alter table agents
    add column agent_id_plain text collate "C" not null
      generated always as (plain_id(agent_id)) stored,
    add column mac_address_plain text collate "C"
      generated always as (plain_id(mac_address)) stored;
  create index on agents (organisation_id, agent_id_plain);
  create index on agents (organisation_id, mac_address_plain);
`;
