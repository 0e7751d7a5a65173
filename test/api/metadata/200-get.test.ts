import { expect } from 'chai';
import { assertDocumented } from '../../support/assert-documented.ts';
import { daysAgo, type MetadataTenant, metadataTenant } from '../../support/metadata-tenant.ts';
import { addAgent } from '../../support/tenant.ts';
import { waitUntil } from '../../support/wait-until.ts';

const noMetadata = { package: null, isp: null, timezone: null, custom: {} };

describe('GET /metadata/{field}/{value} returns 200', () => {
  let own: MetadataTenant;
  before(async () => (own = await metadataTenant(2)));

  it('by agent, unit and MAC address, also without punctuation', async () => {
    const { client } = own;
    const metadata = { package: 'Breeze:Mobile', timezone: 'Asia/Kolkata', custom: { a: '1' } };
    await client.put({ agent: { unit_id: 1 }, metadata });
    for (const path of [
      'agent/box1',
      'agent/box-1',
      'agent/BOX1',
      'unit/1',
      'mac/000000000001',
      'mac/00:00:00:00:00:01',
      'mac/0000.0000.0001',
    ]) {
      const { status, body } = await client.get(`/metadata/${path}`);
      expect(status).to.equal(200);
      expect(body.code).to.equal('OK');
      expect(body.data).to.deep.equal({ ...metadata, isp: 'Breeze' });
    }
  });

  it('with nulls and an empty object for an agent without metadata', async () => {
    expect((await own.client.get('/metadata/unit/2')).body.data).to.deep.equal(noMetadata);
    expect((await own.client.get('/metadata/unit/2/history')).body.data).to.deep.equal([]);
  });

  it('with the current metadata, not past or future periods', async () => {
    const { client, database, tenant } = own;
    const agentKey = await addAgent(database, tenant.organisationId, {
      agentId: 'with-future',
      unitId: 9,
    });
    const [change] = await database('metadata_changes')
      .insert({ organisation_id: tenant.organisationId, request: '{}', agent_count: 1 })
      .returning<{ id: number }[]>('id');
    const iso = (seconds: number) => new Date(seconds * 1000).toISOString();
    const periods = [
      [iso(daysAgo(9)), iso(daysAgo(1)), 'Europe/London'],
      [iso(daysAgo(1)), iso(daysAgo(-1)), 'Asia/Tokyo'],
      [iso(daysAgo(-1)), '', 'Asia/Kolkata'],
    ] as const;
    await database('agent_metadata').insert(
      periods.map(([from, to, timezone]) => ({
        agent_key: agentKey,
        organisation_id: tenant.organisationId,
        valid: `[${from},${to})`,
        timezone,
        recorded_at: new Date(),
        recorded_by: change!.id,
      })),
    );
    expect((await client.get('/metadata/unit/9')).body.data).to.deep.equal({
      ...noMetadata,
      timezone: 'Asia/Tokyo',
    });
  });

  it('with the history newest first, and the recording time of each period', async () => {
    const { client } = await metadataTenant(1);
    const before = new Date();
    const from = daysAgo(2);
    await client.put({
      agent: { unit_id: 1 },
      metadata: { package: 'Breeze:Mobile' },
      backdate_from: from,
    });
    const { body } = await client.get('/metadata/mac/000000000001/history');
    const [period] = body.data as [{ recordedAt: string }];
    expect(new Date(period.recordedAt)).to.be.within(before, new Date());
    expect(body.data).to.deep.equal([
      {
        from: new Date(from * 1000).toISOString(),
        to: null,
        package: 'Breeze:Mobile',
        isp: 'Breeze',
        timezone: null,
        custom: {},
        recordedAt: period.recordedAt,
        recordedBy: { kind: 'token', name: 'test' },
      },
    ]);
  });
});

describe('calls of the metadata interface', () => {
  it('are counted by organisation, token, route, status and day', async () => {
    const { client, database, tenant } = await metadataTenant(1);
    await client.get('/metadata/unit/1');
    await client.get('/metadata/unit/1');
    await client.get('/metadata/unit/404');
    await client.put({});
    const counts = () =>
      database('api_call_counts')
        .where({ organisation_id: tenant.organisationId })
        .orderBy(['route', 'status'])
        .select<object[]>('route', 'status', 'call_count');
    await waitUntil(async () => (await counts()).length === 3);
    expect(await counts()).to.deep.equal([
      { route: 'GET /metadata/:field/:value', status: 200, call_count: 2 },
      { route: 'GET /metadata/:field/:value', status: 404, call_count: 1 },
      { route: 'PUT /metadata', status: 422, call_count: 1 },
    ]);
  });
});

describe('the OpenAPI document', () => {
  it('is checked against every response in the tests', async () => {
    const error = await assertDocumented('metadata.yaml', {
      method: 'GET',
      path: '/metadata/unit/1',
      status: 200,
      body: { code: 'OK', message: '', data: { ...noMetadata, isp: 5 } },
    }).catch(String);
    expect(error).to.contain('isp must be string');
  });

  it('is checked against every accepted request in the tests', async () => {
    const error = await assertDocumented('metadata.yaml', {
      method: 'PUT',
      path: '/metadata',
      status: 200,
      body: { code: 'OK', message: '' },
      request: '{"agent":{"unit_id":"1"},"metadata":{}}',
    }).catch(String);
    expect(error).to.contain('unit_id must be integer');
  });
});
