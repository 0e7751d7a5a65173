import { expect } from 'chai';
import { daysAgo, metadataTenant } from '../support/metadata-tenant.ts';

describe('concurrent metadata changes', () => {
  it('to the same agents are all applied, without overlapping periods or deadlocks', async () => {
    const { client, database, agentKeys } = await metadataTenant(5);
    const writers = Array.from({ length: 20 }, (_, i) => i);
    const responses = await Promise.all(
      writers.map((i) =>
        client.put({
          // Half of the changes select the agents by unit, half by agent id.
          agent: i % 2 === 0 ? { unit_id: 1 + (i % 5) } : { agent_id: `box-${1 + (i % 5)}` },
          metadata: { custom: { [`writer_${i}`]: i } },
          backdate_from: daysAgo(i % 20),
        }),
      ),
    );
    expect(responses.map(({ status }) => status)).to.deep.equal(writers.map(() => 200));
    for (let agent = 0; agent < 5; agent++) {
      const { body } = await client.get(`/metadata/unit/${agent + 1}`);
      const expected = writers.filter((i) => i % 5 === agent).map((i) => [`writer_${i}`, i]);
      expect(body.data).to.have.deep.property('custom', Object.fromEntries(expected));
    }
    const { rows } = await database.raw<{ rows: unknown[] }>(
      `select from agent_metadata a join agent_metadata b
         on a.agent_key = b.agent_key and a.id < b.id and a.valid && b.valid
       where a.superseded_at is null and b.superseded_at is null and a.agent_key = any(?)`,
      [[...agentKeys]],
    );
    expect(rows).to.deep.equal([]);
  });

  it('that select agents by the value they change are applied one after the other', async () => {
    const { client } = await metadataTenant(4);
    const put = (agent: object, metadata: object) => client.put({ agent, metadata });
    for (const unit of [1, 2, 3, 4]) {
      await put(
        { unit_id: unit },
        { package: unit <= 2 ? 'Breeze:Mobile' : 'Northwave:Fibre 100' },
      );
    }
    await Promise.all([
      put({ isp: 'Breeze' }, { package: 'Northwave:Fibre 100' }),
      put({ isp: 'Northwave' }, { package: 'Breeze:Mobile' }),
    ]);
    const isps = await Promise.all(
      [1, 2, 3, 4].map(async (unit) => (await client.get(`/metadata/unit/${unit}`)).body.data),
    );
    // The second change applied to all four agents.
    expect(new Set(isps.map((data) => (data as { isp: string }).isp)).size).to.equal(1);
  });
});
