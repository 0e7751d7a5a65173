import { expect } from 'chai';
import type { Erasure } from '../../../services/metadata/erasure/erasure.ts';
import { erasureTools, requestAgentErasure, untilErased } from '../../support/erase-household.ts';
import {
  type IngestReply,
  type IngestTenant,
  ingestTenant,
  minutesAgo,
  ndjson,
} from '../../support/ingest-tenant.ts';
import { localStack } from '../../support/local-stack.ts';
import { addAgent } from '../../support/tenant.ts';

const erased = { agentId: 'Wb-Leaves-9X', unitId: 918_273_001 };
const neighbour = { agentId: 'Wb-Stays-9Y', unitId: 554_433_002 };

describe('erasing a household that the responses to keyed requests name', () => {
  let tenant: IngestTenant;
  let erasure: Erasure;
  const first = new Map<string, IngestReply>();
  const time = minutesAgo(5);

  before(async () => {
    tenant = await ingestTenant();
    for (const agent of [erased, neighbour]) {
      await addAgent(tenant.database, tenant.organisationId, agent);
    }
    for (const key of Object.keys(bodies)) first.set(key, await send(key));
    const { database, clickhouse } = await localStack();
    const id = await requestAgentErasure(database, tenant, erased.agentId);
    erasure = await untilErased(erasureTools({ database, clickhouse }), id);
  });

  /** A row that is stored, and one of each agent that is rejected: the agent did not exist then. */
  const rowsWith = (agentId?: string) =>
    ndjson(
      { agent_id: 'box-7', dtime: time, target: 'a' },
      ...(agentId === undefined ? [] : [{ agent_id: agentId, dtime: '2001-01-01', target: 'a' }]),
    );
  const bodies: Readonly<Record<string, string>> = {
    'names-it': rowsWith(erased.agentId),
    'names-its-neighbour': rowsWith(neighbour.agentId),
    [`batch/${erased.agentId.toLowerCase()}/1`]: rowsWith(),
    [`${erased.unitId}-2026-11-15`]: rowsWith(),
    [`${neighbour.unitId}-2026-11-15`]: rowsWith(),
  };

  it('finds it in a response before', () => {
    const [reject] = first.get('names-it')!.body.data!.rejects;
    expect(reject?.reason).to.include(erased.agentId);
  });

  it('deletes these responses, and reports how many', async () => {
    const kept = await tenant
      .database('ingest_requests')
      .where({ organisation_id: tenant.organisationId })
      .orderBy('idempotency_key')
      .pluck<string[]>('idempotency_key');
    expect(kept).to.deep.equal([`${neighbour.unitId}-2026-11-15`, 'names-its-neighbour']);
    expect(erasure.report.removed).to.include({ ingest_requests: 3 });
  });

  it('still repeats the responses that do not name it', async () => {
    const again = await send('names-its-neighbour');
    expect(again.headers.get('idempotency-replayed')).to.equal('true');
    expect(again.body).to.deep.equal(first.get('names-its-neighbour')!.body);
  });

  it('carries out the other requests again, and stores nothing twice', async () => {
    const again = await send('names-it');
    expect(again.headers.get('idempotency-replayed')).to.equal('false');
    expect(again.body.data).to.include({ stored: 1, rejected: 1 });
    expect(again.body.data!.rejects[0]?.reason).to.include('was erased');
    expect(await tenant.rows('jitter', 'target')).to.deep.equal([{ target: 'a' }]);
  });

  function send(key: string): Promise<IngestReply> {
    return tenant.post('/results/jitter', bodies[key]!, { 'idempotency-key': key });
  }
});
