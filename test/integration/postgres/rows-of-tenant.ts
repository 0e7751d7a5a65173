import { randomBytes, randomUUID } from 'node:crypto';
import type { Database } from '../../../services/shared/postgres/connect-postgres.ts';
import { addExportRow } from '../../support/add-export-row.ts';
import { addAgent, addPackages, newTenant, type Tenant } from '../../support/tenant.ts';

/** A new organisation with at least one row in every table that has rows of organisations. */
export async function tenantWithRows(database: Database): Promise<Tenant> {
  const tenant = await newTenant(database);
  const { organisationId: organisation_id } = tenant;
  await database('grants').insert({ organisation_id, kind: 'metric', key: 'httpget' });
  await database('custom_keys').insert({ organisation_id, key: 'room' });
  await addPackages(database, organisation_id, { Northwave: ['Fibre 500'] });
  // Their triggers write to audit_events and snapshot_outbox.
  const agent_key = await addAgent(database, organisation_id, { agentId: 'box-1', unitId: 1 });
  await addHistory(database, organisation_id, agent_key);
  await addErasure(database, organisation_id, agent_key);
  const [set] = await database('agent_sets')
    .insert({ organisation_id, name: 'excluded' })
    .returning<{ id: number }[]>('id');
  await database('agent_set_members').insert({ organisation_id, set_id: set!.id, agent_key });
  const [replicates] = await database('weight_replicates')
    .insert({ organisation_id, key: 'weight', valid_from: new Date(), replicate_count: 2 })
    .returning<{ id: number }[]>('id');
  await database('weight_replicate_factors').insert({
    organisation_id,
    replicates_id: replicates!.id,
    agent_key,
    valid_from: new Date(),
    factors: [0, 1.5],
  });
  const token = await database('api_tokens').where({ organisation_id }).first<{ id: number }>('id');
  await database('api_call_counts').insert({
    day: '2026-11-01',
    organisation_id,
    token_id: token.id,
    route: 'GET /metadata',
    status: 200,
    call_count: 1,
  });
  await database('saved_views').insert({
    organisation_id,
    token_id: token.id,
    name: 'By ISP',
    state: 'split=isp',
  });
  await database('region_maps').insert({
    organisation_id,
    token_id: token.id,
    field: 'room',
    regions: '[]',
    tag: 'first',
  });
  await database('ingest_requests').insert({
    organisation_id,
    idempotency_key: 'first',
    request_sha256: randomBytes(32),
    answer: {},
  });
  await addExportRow(database, tenant, {
    store: 'folder',
    status: 'done',
    lost_at: new Date(),
    expires_at: new Date(),
  });
  await database('snapshot_organisations').insert({
    organisation_id,
    publication: 1,
    row_count: 1,
    content_hash: '1',
    published_at: new Date(),
  });
  await database('watched_files').insert({
    organisation_id,
    place: '/data/incoming',
    name: 'httpget/day.csv',
    version: '1-1',
    size_bytes: 1,
    modified_at: new Date(),
    status: 'loading',
  });
  return tenant;
}

async function addHistory(
  database: Database,
  organisation_id: number,
  agent_key: number,
): Promise<void> {
  const [change] = await database('metadata_changes')
    .insert({ organisation_id, request: {}, agent_count: 1 })
    .returning<{ id: number }[]>('id');
  await database('agent_metadata').insert({
    organisation_id,
    agent_key,
    valid: '(,)',
    timezone: 'Europe/London',
    recorded_at: new Date(),
    recorded_by: change!.id,
  });
}

async function addErasure(
  database: Database,
  organisation_id: number,
  agent_key: number,
): Promise<void> {
  const id = randomUUID();
  await database('erasures').insert({
    id,
    organisation_id,
    agent_keys: [agent_key],
    identifiers: ['other'],
    report: {},
  });
  await database('erased_ids').insert({ organisation_id, hash: randomBytes(32), erasure_id: id });
}
