import { expect } from 'chai';
import { type MetadataTenant, metadataTenant } from '../../support/metadata-tenant.ts';
import { waitUntil } from '../../support/wait-until.ts';

interface ErasureData {
  readonly id: string;
  readonly state: string;
  readonly statusUrl: string;
  readonly stepsDone: readonly string[];
  readonly report: { readonly removed: Readonly<Record<string, number>> };
}

const notFound = { status: 404, body: { code: 'NOT_FOUND', message: 'Not found' } };

describe('DELETE /metadata', () => {
  let own: MetadataTenant;
  before(async () => (own = await metadataTenant(4)));

  it('starts an erasure that the service carries out, and returns its status link', async () => {
    const { status, body } = await own.client.delete('/metadata/agent/box-1');
    expect(status).to.equal(202);
    const started = body.data as ErasureData;
    expect(started).to.include({ state: 'running', statusUrl: `/erasures/${started.id}` });
    await waitUntil(async () => (await erasure(started)).stepsDone.includes('exports'));
    expect((await erasure(started)).report.removed).to.include({ agents: 1 });
    for (const path of ['agent/box-1', 'unit/1', 'mac/000000000001']) {
      expect(await own.client.get(`/metadata/${path}`)).to.deep.equal(notFound);
    }
    const change = { agent: { unit_id: 1 }, metadata: { timezone: 'Europe/London' } };
    expect(await own.client.put(change)).to.deep.equal(notFound);
    expect((await own.client.get('/metadata/agent/box-2')).status).to.equal(200);
  });

  it('returns the same erasure when it is repeated, by any identifier', async () => {
    const ids = new Set<string>();
    for (const path of ['unit/2', 'unit/2', 'mac/00-00-00-00-00-02']) {
      const { status, body } = await own.client.delete(`/metadata/${path}`);
      expect(status).to.equal(202);
      ids.add((body.data as ErasureData).id);
    }
    expect(ids.size).to.equal(1);
  });

  it('returns 200 with the report when the agent was erased earlier', async () => {
    const { body } = await own.client.delete('/metadata/unit/3');
    const { id } = body.data as ErasureData;
    const steps = own.database('erasures').where({ id });
    // Not the last check, which comes ten minutes later.
    await waitUntil(async () => (await erasure({ id })).stepsDone.includes('files'));
    await steps.update({ identifiers: null, ended_at: own.database.fn.now() });
    const repeated = await own.client.delete('/metadata/unit/3');
    expect(repeated.status).to.equal(200);
    expect(repeated.body.data).to.include({ id, state: 'done' });
  });

  it('returns 404 for an agent, a field or an erasure that does not exist', async () => {
    for (const path of ['agent/nobody', 'unit/999', 'mac/ff', 'serial/1', 'unit/-1']) {
      expect(await own.client.delete(`/metadata/${path}`), path).to.deep.equal(notFound);
    }
    for (const id of ['00000000-0000-4000-8000-000000000000', 'x']) {
      expect(await own.client.get(`/erasures/${id}`)).to.deep.equal(notFound);
    }
  });

  it('returns 422 for a unit that is not a number', async () => {
    const { status, body } = await own.client.delete('/metadata/unit/box');
    expect(status).to.equal(422);
    expect(body.errors).to.deep.equal({ value: ['This value should be of type integer.'] });
  });

  it("neither erases another organisation's agent nor shows its erasures", async () => {
    const others = await metadataTenant(0);
    expect(await others.client.delete('/metadata/agent/box-4')).to.deep.equal(notFound);
    const { body } = await own.client.delete('/metadata/agent/box-4');
    const { id } = body.data as ErasureData;
    expect(await others.client.get(`/erasures/${id}`)).to.deep.equal(notFound);
    expect(await others.client.delete('/metadata/agent/box-4')).to.deep.equal(notFound);
  });

  async function erasure({ id }: { readonly id: string }): Promise<ErasureData> {
    const { status, body } = await own.client.get(`/erasures/${id}`);
    expect(status).to.equal(200);
    return body.data as ErasureData;
  }
});
