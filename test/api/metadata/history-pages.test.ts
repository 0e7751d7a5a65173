import { expect } from 'chai';
import { type MetadataTenant, metadataTenant } from '../../support/metadata-tenant.ts';
import { localStack } from '../../support/local-stack.ts';
import { addAgent } from '../../support/tenant.ts';

interface HistoryPage {
  readonly data: readonly { readonly from: string | null; readonly custom: { n: number } }[];
  readonly next?: string;
}

describe('GET /metadata/{field}/{value}/history in pages', () => {
  let own: MetadataTenant;
  before(async () => (own = await metadataTenant(2)));

  it('200: a page has 1,000 periods, and links to the rest', async () => {
    await addPeriods(own.agentKeys[0]!, 1_205);
    const first = await page('/metadata/unit/1/history');
    expect(numbersOf(first)).to.deep.equal(countdown(1_204, 205));
    const last = await page(first.next!);
    expect(numbersOf(last)).to.deep.equal(countdown(204, 0));
    expect(last).to.not.have.property('next');
    // The first period has no beginning.
    expect(last.data.at(-1)).to.have.property('from', null);
  });

  it('200: pages of any size have every period once', async () => {
    const agentKey = await addAgent(own.database, own.tenant.organisationId, {
      agentId: 'flat 1/2 & "3"',
      unitId: 77,
    });
    await addPeriods(agentKey, 7);
    for (const limit of [1, 2, 6, 7, 8]) {
      const found: number[] = [];
      const path = `/metadata/agent/${encodeURIComponent('flat 1/2 & "3"')}/history`;
      let next: string | undefined = `${path}?limit=${limit}`;
      while (next !== undefined) {
        const one: HistoryPage = await page(next);
        expect(one.data.length).to.be.within(1, limit);
        found.push(...numbersOf(one));
        next = one.next;
      }
      expect(found, `limit ${limit}`).to.deep.equal(countdown(6, 0));
    }
  });

  it('200: a page ends early after 4 MiB of custom fields', async () => {
    const agentKey = await addAgent(own.database, own.tenant.organisationId, {
      agentId: 'large',
      unitId: 78,
    });
    await addPeriods(agentKey, 90, { text: 'x'.repeat(60_000) });
    const first = await page('/metadata/unit/78/history');
    expect(first.data.length).to.be.within(65, 75);
    const rest = await page(first.next!);
    expect([...numbersOf(first), ...numbersOf(rest)]).to.deep.equal(countdown(89, 0));
  });

  it('200: an agent without metadata has one empty page', async () => {
    expect(await page('/metadata/unit/2/history?limit=5')).to.deep.equal({
      code: 'OK',
      message: 'The request was successful',
      data: [],
    });
  });

  for (const [query, errors] of [
    ['limit=0', { limit: ['This value should be from 1 to 1000.'] }],
    ['limit=1001', { limit: ['This value should be from 1 to 1000.'] }],
    ['limit=1.5', { limit: ['This value should be from 1 to 1000.'] }],
    ['limit=1&limit=2', { limit: ['This value should be from 1 to 1000.'] }],
    ...['yesterday', '2026-02-31T00:00:00.000Z', '2026-11-01', ''].map(
      (after) =>
        [
          `after=${after}`,
          { after: ['This value should be a time such as 2026-11-01T00:00:00.000Z.'] },
        ] as const,
    ),
  ] as const) {
    it(`422: ?${query}`, async () => {
      const { status, body } = await own.client.get(`/metadata/unit/1/history?${query}`);
      expect(status).to.equal(422);
      expect(body.errors).to.deep.equal(errors);
    });
  }

  /** Checks that the header and the body have the same link. */
  async function page(path: string): Promise<HistoryPage> {
    const { metadataUrl } = await localStack();
    const { status, body } = await own.client.get(path);
    expect(status, JSON.stringify(body).slice(0, 500)).to.equal(200);
    const { headers } = await fetch(`${metadataUrl}${path}`, {
      headers: { authorization: `Bearer ${own.tenant.metadataToken}` },
    });
    const { next } = body as unknown as HistoryPage;
    expect(headers.get('link')).to.equal(next === undefined ? null : `<${next}>; rel="next"`);
    return body as unknown as HistoryPage;
  }

  /** Consecutive periods with the custom field `n`, 0 for the oldest. */
  async function addPeriods(agentKey: number, count: number, { text = '' } = {}): Promise<void> {
    const { database, tenant } = own;
    const [change] = await database('metadata_changes')
      .insert({ organisation_id: tenant.organisationId, request: '{}', agent_count: 1 })
      .returning<{ id: number }[]>('id');
    await database.raw(
      `insert into agent_metadata
         (agent_key, organisation_id, valid, custom, recorded_at, recorded_by)
       select :agentKey, :organisationId,
              tstzrange(case when n > 0 then start_of(n) end, case when n < :count - 1 then start_of(n + 1) end),
              jsonb_build_object('n', n, 'text', cast(:text as text)), now(), :changeId
       from generate_series(0, :count - 1) as n`.replaceAll(
        /start_of\((.*?)\)/g,
        "timestamptz '2026-01-01 00:00Z' + ($1) * interval '1 second'",
      ),
      {
        agentKey,
        organisationId: tenant.organisationId,
        count,
        text,
        changeId: change!.id,
      },
    );
  }
});

function numbersOf({ data }: HistoryPage): number[] {
  return data.map(({ custom }) => custom.n);
}

function countdown(from: number, to: number): number[] {
  return Array.from({ length: from - to + 1 }, (_, i) => from - i);
}
