import { expect } from 'chai';
import { metadataClient } from '../../support/metadata-client.ts';
import { metadataTenant } from '../../support/metadata-tenant.ts';
import { startServiceProcess } from '../../support/service-process.ts';

describe('the audit of the metadata interface', () => {
  it('has refused requests, counted by token, route, status and minute', async () => {
    const { tenant, database } = await metadataTenant(1);
    const startedMs = Date.now();
    const service = await startServiceProcess('metadata', {});
    const client = metadataClient(service.url, tenant.metadataToken);
    for (let i = 0; i < 20; i++) expect((await client.put({ agent: {} })).status).to.equal(422);
    expect((await client.get('/metadata/mac/aabbccddeeff')).status).to.equal(404);
    expect((await client.get('/metadata/agent/box1')).status).to.be.oneOf([200, 404]);
    const wrong = await metadataClient(service.url, 'wrong').get('/metadata/unit/1');
    expect(wrong.status).to.equal(403);
    await service.kill('SIGTERM');

    const rows = await database('audit_events')
      .where({ organisation_id: tenant.organisationId, action: 'request.refuse' })
      .select<Refused[]>('actor', 'target', 'outcome', 'details');
    const refused = rows.filter(({ outcome }) => outcome === 'VALIDATION_FAIL');
    const minutes = 2 + Math.floor((Date.now() - startedMs) / 60_000);
    expect(refused.length).to.be.within(1, minutes);
    expect(refused.reduce((sum, { details }) => sum + details.requests, 0)).to.equal(20);
    expect(refused[0]?.actor).to.match(/^token \d+$/);
    expect(refused[0]?.target).to.equal('PUT /metadata');
    const missing = rows.find(({ outcome }) => outcome === 'NOT_FOUND');
    expect(missing?.target).to.equal('GET /metadata/:field/:value');
    expect(JSON.stringify(rows)).not.to.include('aabbccddeeff');
    const unknown = await database('audit_events')
      .where({ organisation_id: null, outcome: 'ACCESS_DENIED' })
      .where('occurred_at', '>=', new Date(startedMs - 60_000))
      .pluck<string[]>('actor');
    expect(unknown).to.include('address 127.0.0.1');
  });
});

interface Refused {
  readonly actor: string;
  readonly target: string;
  readonly outcome: string;
  readonly details: { readonly requests: number };
}
