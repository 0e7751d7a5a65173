import { expect } from 'chai';
import { daysAgo, type MetadataTenant, metadataTenant } from '../../support/metadata-tenant.ts';

describe('custom metadata', () => {
  const from = daysAgo(5);
  let own: MetadataTenant;
  beforeEach(async () => (own = await metadataTenant(2)));

  it('may have keys of 64 characters and values of 1,024 characters', async () => {
    const custom = { ['k'.repeat(63) + '🙂']: '🙂'.repeat(1_024) };
    expect((await put(custom)).status).to.equal(200);
    expect(await stored()).to.deep.equal(custom);
  });

  it('is refused with longer keys or values, in a short response', async () => {
    const { status, body } = await put({
      ['k'.repeat(65)]: 1,
      value: 'x'.repeat(1_025),
      ['a'.repeat(500_000)]: 1,
    });
    expect(status).to.equal(422);
    expect(body.errors).to.deep.equal({
      [`metadata[custom][${'k'.repeat(65)}]`]: [
        'This key is too long. The maximum is 64 characters.',
      ],
      'metadata[custom][value]': ['This value is too long. The maximum is 1024 characters.'],
      [`${`metadata[custom][${'a'.repeat(200)}`.slice(0, 200)}…`]: [
        'This key is too long. The maximum is 64 characters.',
      ],
    });
    expect(await stored()).to.deep.equal({});
    const unknown = await own.client.put({ ['b'.repeat(500_000)]: 1 });
    expect(JSON.stringify(unknown.body).length).to.be.lessThan(1_000);
  });

  it('may have 200 keys per organisation, counted over all agents', async () => {
    const keys = (from: number, to: number) =>
      Object.fromEntries(Array.from({ length: to - from }, (_, i) => [`key_${from + i}`, i]));
    expect((await put(keys(0, 150))).status).to.equal(200);
    expect((await put(keys(150, 200), 2)).status).to.equal(200);
    const refused = await put({ one_more: 1 });
    expect(refused.status).to.equal(422);
    expect(refused.body.errors).to.deep.equal({
      'metadata[custom]': [
        'Your organisation would have 201 custom metadata keys. The maximum is 200.',
      ],
    });
    expect((await put({ key_7: 'changed' }, 2)).status).to.equal(200);

    // A key that no period of any agent has any more does not count.
    const left = { agent: { unit_id: 2 }, metadata: { custom: { left: 1 } }, backdate_from: from };
    expect((await own.client.put({ ...left, overwrite_all: true })).status).to.equal(200);
    expect((await put({ one_more: 1 })).status).to.equal(200);
  });

  it('may have 64 KiB per agent', async () => {
    const fields = (prefix: string, count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, i) => [`${prefix}${i}`, 'x'.repeat(1_000)]),
      );
    expect((await put(fields('a', 40))).status).to.equal(200);
    const refused = await put(fields('b', 40));
    expect(refused.status).to.equal(422);
    expect(refused.body.errors?.['metadata[custom]']?.[0]).to.match(
      /^An agent would have 8\d{4} bytes of custom metadata\. The maximum is 65536\.$/,
    );
    expect(Object.keys((await stored()) as object)).to.have.length(40);
  });

  it('of more than 64 KiB from before the limit can be read, reduced, and kept', async () => {
    const { database, tenant, agentKeys, client } = own;
    const [change] = await database('metadata_changes')
      .insert({ organisation_id: tenant.organisationId, request: '{}', agent_count: 1 })
      .returning<{ id: number }[]>('id');
    const old = { large: 'x'.repeat(90_000), other: 'y' };
    await database('agent_metadata').insert({
      agent_key: agentKeys[0],
      organisation_id: tenant.organisationId,
      valid: '(,)',
      custom: old,
      recorded_at: new Date(),
      recorded_by: change!.id,
    });
    expect(await stored()).to.deep.equal(old);
    const timezone = { agent: { unit_id: 1 }, metadata: { timezone: 'Asia/Tokyo' } };
    expect((await client.put(timezone)).status).to.equal(200);
    expect((await put({ other: '' })).status).to.equal(200);
    expect((await put({ other: 'longer' })).status).to.equal(422);
    expect((await put({ large: 'small' })).status).to.equal(200);
    expect(await stored()).to.deep.equal({ large: 'small', other: '' });
  });

  function put(custom: object, unit = 1) {
    const agent = { unit_id: unit };
    return own.client.put({ agent, metadata: { custom }, backdate_from: from });
  }

  async function stored(): Promise<unknown> {
    const { body } = await own.client.get('/metadata/unit/1');
    return (body.data as { custom: unknown }).custom;
  }
});
