import { expect } from 'chai';
import { daysAgo, type MetadataTenant, metadataTenant } from '../../support/metadata-tenant.ts';

const fibre100 = { package: 'Northwave:Fibre 100' };
const fibre500 = { package: 'Northwave:Fibre 500' };

describe('a change of metadata that is followed by others', () => {
  let own: MetadataTenant;
  beforeEach(async () => (own = await metadataTenant(2)));

  it('is applied with them, in their order, each from its own date on', async () => {
    const [first, second] = [dayAt(10), dayAt(4)];
    const { status } = await own.client.put({
      agent: { unit_id: 1 },
      metadata: { ...fibre100, custom: { tier: 'gold' } },
      backdate_from: first,
      followed_by: [
        { metadata: fibre500, backdate_from: second },
        { metadata: { timezone: 'Asia/Kathmandu' }, backdate_from: second, overwrite_all: true },
      ],
    });
    expect(status).to.equal(200);
    expect(await periods(1)).to.deep.equal([
      [isoOf(second), null, null, 'Asia/Kathmandu', {}],
      [isoOf(first), isoOf(second), 'Northwave:Fibre 100', null, { tier: 'gold' }],
    ]);
    expect(await periods(2)).to.deep.equal([]);
    // The audit has each as a request of its own.
    expect(await requests()).to.deep.equal([
      {
        agent: { unit_id: 1 },
        metadata: { ...fibre100, custom: { tier: 'gold' } },
        backdate_from: first,
      },
      { agent: { unit_id: 1 }, metadata: fibre500, backdate_from: second },
      {
        agent: { unit_id: 1 },
        metadata: { timezone: 'Asia/Kathmandu' },
        backdate_from: second,
        overwrite_all: true,
      },
    ]);
  });

  it('returns the version that contains all of them', async () => {
    const put = (body: object) => own.client.put({ agent: { unit_id: 1 }, ...body });
    await put({ metadata: fibre100, backdate_from: dayAt(9) });
    const before = own.client.lastVersion();
    await put({
      metadata: { timezone: 'Europe/London' },
      followed_by: [{ metadata: { custom: { tier: 'gold' } } }],
    });
    const after = own.client.lastVersion();
    expect(after).to.be.greaterThan(before);
    // Nothing changes: the version stays.
    await put({ metadata: fibre100 });
    expect(own.client.lastVersion()).to.equal(after);
  });

  it('gets the first twenty problems, each with the change that has it', async () => {
    const custom = Object.fromEntries(
      Array.from({ length: 30 }, (_, i) => [`key ${i}`, { not: 'a value' }]),
    );
    const { status, body } = await own.client.put({
      agent: { unit_id: 1 },
      metadata: fibre100,
      followed_by: [{ metadata: { custom } }],
    });
    expect(status).to.equal(422);
    expect(body).to.include({ code: 'VALIDATION_FAIL', message: 'Validation failed' });
    const fields = Object.keys(body.errors ?? {});
    expect(fields).to.have.length(20);
    for (const field of fields) expect(field).to.match(/^followed_by\[0\]\[metadata\]\[custom\]/);
    expect(Object.values(body.errors ?? {}).at(-1)).to.include(
      'Only the first 20 problems are listed.',
    );
  });

  it('is not applied either if the last of them is refused when the others are written', async () => {
    const fields = (prefix: string) =>
      Object.fromEntries(
        Array.from({ length: 40 }, (_, i) => [`${prefix}${i}`, 'x'.repeat(1_000)]),
      );
    const { status, body } = await own.client.put({
      agent: { unit_id: 1 },
      metadata: fibre100,
      followed_by: [{ metadata: { custom: fields('a') } }, { metadata: { custom: fields('b') } }],
    });
    expect(status).to.equal(422);
    expect(body.errors?.['followed_by[1][metadata][custom]']?.[0]).to.match(
      /^An agent would have 8/,
    );
    expect(await periods(1)).to.deep.equal([]);
    expect(await requests()).to.deep.equal([]);
  });

  for (const [what, body, errors] of [
    [
      'problems of each',
      {
        metadata: { timezone: 'Mars' },
        followed_by: [{ metadata: { package: 'nocolon' } }, { backdate_from: 5, color: 1 }, 'text'],
      },
      {
        'metadata[timezone]': ['Mars is not a valid IANA timezone.'],
        'followed_by[0][metadata][package]': ['nocolon is not a valid package name.'],
        'followed_by[1][color]': ['This field was not expected.'],
        'followed_by[1][metadata]': ['This field is missing.'],
        'followed_by[1][backdate_from]': ['Invalid backdate (5). Must be in last 28 days.'],
        'followed_by[2]': ['This value should be of type object.'],
      },
    ],
    [
      'a package that does not exist',
      { metadata: {}, followed_by: [{ metadata: { package: 'Northwave:None' } }] },
      {
        'followed_by[0][metadata][package]': [
          'Unable to resolve new package Northwave:None. (Invalid Package name in new package)',
        ],
      },
    ],
    ['no list', { metadata: {}, followed_by: {} }, { followed_by: [atMost()] }],
    [
      'too many',
      { metadata: {}, followed_by: Array.from({ length: 51 }, () => ({ metadata: {} })) },
      { followed_by: [atMost()] },
    ],
    [
      'agents selected by metadata that the first one may change',
      { agent: { isp: 'Northwave' }, metadata: {}, followed_by: [{ metadata: {} }] },
      {
        followed_by: [
          'Select the agent by agent_id, unit_id or mac_address alone, because the first change may alter other fields.',
        ],
      },
    ],
  ] as const) {
    it(`422: ${what}`, async () => {
      const response = await own.client.put({ agent: { unit_id: 1 }, ...body });
      expect(response.status).to.equal(422);
      expect(response.body.errors).to.deep.equal(errors);
    });
  }

  it('422: a dry run', async () => {
    const body = { agent: { unit_id: 1 }, metadata: {}, followed_by: [{ metadata: fibre500 }] };
    const response = await own.client.put(body, 'dry_run=true');
    expect(response.status).to.equal(422);
    expect(response.body.errors).to.have.property('dry_run');
  });

  async function periods(unit: number): Promise<unknown[]> {
    const { body } = await own.client.get(`/metadata/unit/${unit}/history`);
    const all = body.data as Record<'from' | 'to' | 'package' | 'timezone' | 'custom', unknown>[];
    return all.map((one) => [one.from, one.to, one.package, one.timezone, one.custom]);
  }

  function requests(): Promise<unknown[]> {
    return own
      .database('metadata_changes')
      .where({ organisation_id: own.tenant.organisationId })
      .orderBy('id')
      .pluck('request');
  }
});

function atMost(): string {
  return 'Send a list of at most 50 changes.';
}

/** 00:00 UTC of a day. */
function dayAt(days: number): number {
  return Math.floor(daysAgo(days) / 86_400) * 86_400;
}

function isoOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
