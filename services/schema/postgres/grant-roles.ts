import type { Knex } from 'knex';
import type { Database } from '../../shared/postgres/connect-postgres.ts';

/** The roles of deploy/postgres/roles.sql, and exactly what the services do with each table. */
const privileges: Readonly<Record<string, readonly string[]>> = {
  netpanel_query: [
    'select on knex_migrations, organisations, grants, api_tokens',
    'select on snapshot_outbox, snapshot_organisations, metadata_versions, custom_keys',
    // For knownAt.
    'select on agent_metadata, metadata_changes, isps, packages, metadata_history_start',
    'update (last_used_at) on api_tokens',
    'select, insert, update, delete on exports',
    'select, insert, delete on saved_views',
    'update (name) on saved_views',
    'select, insert, update, delete on region_maps',
    'execute on function running_exports, organisation_of_export',
  ],
  netpanel_ingest: [
    'select on knex_migrations, organisations, api_tokens, agent_metadata, erasures, erased_ids',
    'update (last_used_at) on api_tokens',
    // The triggers of agents write to the outbox and to the audit.
    'select, insert on agents, snapshot_outbox',
    'select, insert, update, delete on ingest_requests',
    'insert on audit_events',
    'select, insert on api_call_counts',
    'update (call_count) on api_call_counts',
    'execute on function erased_id_hash',
  ],
  netpanel_metadata: [
    'select on knex_migrations, organisations, api_tokens, isps, packages, metadata_versions',
    'update (last_used_at) on api_tokens',
    'select, insert, delete on agent_metadata, snapshot_outbox, custom_keys',
    `update (superseded_at, superseded_by, valid, longer_valid, shortened_at, shortened_by)
       on agent_metadata`,
    'select, delete on agents, agent_set_members, weight_replicate_factors',
    'select on weight_replicates',
    'select, insert, update on snapshot_organisations',
    'select, insert, update on erasures, erased_ids, retention_state',
    'usage, update on sequence snapshot_version_numbers',
    'select, update on exports',
    // An erasure deletes views and responses that name the household.
    'select, delete on saved_views, ingest_requests',
    // The audit: append-only. A count grows; the functions delete and redact within their own rules.
    'insert on audit_events',
    'select, insert on metadata_changes, api_call_counts',
    'update (call_count) on api_call_counts',
    `execute on function delete_audit_events_before, delete_metadata_superseded_before,
       delete_unused_changes_before, delete_call_counts_before, delete_watched_files_before,
       delete_weight_replicates_before, redact_metadata_changes, erased_id_hash`,
  ],
};

/**
 * Gives the roles of the services their privileges, after every migration: a new table needs no further
 * step by an operator. Roles that do not exist are left out: the services may work as the owner.
 */
export async function grantRoles(database: Database): Promise<void> {
  const roles = await database('pg_roles')
    .whereIn('rolname', Object.keys(privileges))
    .pluck<string[]>('rolname');
  await database.transaction(async (transaction) => {
    for (const role of roles) await grant(transaction, role, privileges[role] ?? []);
  });
}

async function grant(
  transaction: Knex.Transaction,
  role: string,
  granted: readonly string[],
): Promise<void> {
  await transaction.raw(`
    ${revokeAll(role)}
    ${granted.map((privilege) => `grant ${privilege} to ${role};`).join('\n')}
  `);
}

/**
 * Revokes the privileges of earlier versions. Not "on all tables in schema": an extension may have objects
 * there that the user of the migrations does not own.
 */
function revokeAll(role: string): string {
  return `
    do $$
    declare
      object text;
    begin
      for object in
        select oid::regclass::text from pg_class
        where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'S')
          and pg_has_role(relowner, 'usage')
        union all
        select 'function ' || oid::regprocedure::text from pg_proc
        where pronamespace = current_schema()::regnamespace and pg_has_role(proowner, 'usage')
      loop
        execute format('revoke all on %s from ${role}', object);
      end loop;
      execute format('grant usage on schema %I to ${role}', current_schema());
    end $$;`;
}
