import { expect } from 'chai';
import { daysAgo, type MetadataTenant, metadataTenant } from '../../support/metadata-tenant.ts';
import { agent, contractCases, metadata, otherCases, typed } from './invalid-bodies.ts';

describe('PUT /metadata returns 422', () => {
  let own: MetadataTenant;
  before(async () => (own = await metadataTenant(1)));

  for (const { when, body, errors } of [...contractCases, ...otherCases]) {
    it(`when ${when}`, async () => {
      expect(await own.client.put(body)).to.deep.equal({
        status: 422,
        body: { code: 'VALIDATION_FAIL', message: 'Validation failed', errors },
      });
    });
  }

  it('when the date is over 28 days ago or in the future', async () => {
    for (const from of [daysAgo(28) - 60, daysAgo(0) + 120]) {
      const { status, body } = await own.client.put({ agent, metadata, backdate_from: from });
      expect(status).to.equal(422);
      expect(body.errors).to.deep.equal({
        backdate_from: [`Invalid backdate (${from}). Must be in last 28 days.`],
      });
    }
  });

  it('when a custom key is a reserved name of JavaScript', async () => {
    const { status, body } = await own.client.putText(
      '{"agent":{"custom":{"__proto__":"x"}},"metadata":{"custom":{"constructor":1,"prototype":2}}}',
    );
    expect(status).to.equal(422);
    expect(body.errors).to.deep.equal({
      'agent[custom][__proto__]': ['Invalid key'],
      'metadata[custom][constructor]': ['Invalid key'],
      'metadata[custom][prototype]': ['Invalid key'],
    });
  });

  it('when a unit_id is above the largest exact integer', async () => {
    const { status, body } = await own.client.putText(
      '{"agent":{"unit_id":9007199254740993},"metadata":{}}',
    );
    expect(status).to.equal(422);
    expect(body.errors).to.deep.equal({
      'agent[unit_id]': ['This value is beyond the largest exact integer.'],
    });
  });

  it('when a custom number is above the largest exact integer', async () => {
    const { status, body } = await own.client.putText(
      '{"agent":{"custom":{"a":1e400}},"metadata":{"custom":{"a":9007199254740993}}}',
    );
    expect(status).to.equal(422);
    expect(body.errors).to.deep.equal({
      'agent[custom][a]': ['This value should be of type string or number.'],
      'metadata[custom][a]': ['This value is beyond the largest exact integer.'],
    });
  });

  it('with all errors at once', async () => {
    const { body } = await own.client.put({
      agent: { unit_id: 'one', custom: { 1: 'x' } },
      metadata: { package: 'Nobody:x', timezone: 'Mars' },
      backdate_from: null,
      overwrite_all: 0,
    });
    expect(body.errors).to.deep.equal({
      'agent[unit_id]': typed('integer'),
      'agent[custom][1]': ['Invalid key'],
      'metadata[package]': [
        'Unable to resolve new package Nobody:x. (Invalid Isp name in new package)',
      ],
      'metadata[timezone]': ['Mars is not a valid IANA timezone.'],
      backdate_from: ['Invalid backdate (null). Must be a valid integer.'],
      overwrite_all: typed('bool'),
    });
  });

  it('and changes nothing', async () => {
    const { client } = own;
    await client.put({ agent, metadata: { ...metadata, package: 'Nobody:x' } });
    const { body } = await client.get('/metadata/agent/box-1/history');
    expect(body.data).to.deep.equal([]);
  });
});

describe('GET /metadata/{field}/{value} returns 422', () => {
  it('when a unit is not an integer', async () => {
    const { client } = await metadataTenant(1);
    for (const path of ['/metadata/unit/1x', '/metadata/unit/1.0/history']) {
      expect(await client.get(path)).to.deep.equal({
        status: 422,
        body: {
          code: 'VALIDATION_FAIL',
          message: 'Validation failed',
          errors: { value: ['This value should be of type integer.'] },
        },
      });
    }
  });
});
