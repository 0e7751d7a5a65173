import { expect } from 'chai';
import { type MetadataTenant, metadataTenant } from '../../support/metadata-tenant.ts';
import { addAgent } from '../../support/tenant.ts';

interface AgentsPage {
  readonly data: readonly { readonly agentId: string }[];
  readonly next?: string;
}

const hostileId = `100%_<img src=x onerror=alert(1)> ' " \\ é`;

describe('GET /agents', () => {
  let own: MetadataTenant;

  before(async () => {
    own = await metadataTenant(12);
    await addAgent(own.database, own.tenant.organisationId, { agentId: hostileId });
    await own.client.put({
      agent: { unit_id: 3 },
      metadata: { package: 'Northwave:Fibre 500', timezone: 'Europe/London', custom: { room: 1 } },
    });
    await own.client.put({ agent: { unit_id: 4 }, metadata: { package: 'Northwave:' } });
  });

  it('200: an agent with its identifiers and current metadata, without custom fields', async () => {
    const { data } = await page('/agents?search=box-3');
    expect(data).to.deep.equal([
      {
        agentId: 'box-3',
        unitId: '3',
        macAddress: '00:00:00:00:00:03',
        kind: 'whitebox',
        package: 'Northwave:Fibre 500',
        isp: 'Northwave',
        timezone: 'Europe/London',
      },
    ]);
    for (const path of ['/agents/unit/3', '/agents/agent/BOX3', '/agents/mac/000000000003']) {
      expect((await own.client.get(path)).body.data, path).to.deep.equal(data[0]);
    }
  });

  it('200: pages of any size have every agent once', async () => {
    const all = (await page('/agents')).data.map(({ agentId }) => agentId);
    expect(all).to.have.length(13).and.to.include(hostileId);
    for (const limit of [1, 5, 13]) {
      const found: string[] = [];
      let next: string | undefined = `/agents?limit=${limit}`;
      while (next !== undefined) {
        const one: AgentsPage = await page(next);
        found.push(...one.data.map(({ agentId }) => agentId));
        next = one.next;
      }
      expect(found, `limit ${limit}`).to.deep.equal(all);
    }
  });

  for (const [what, search, expected] of [
    ['a part of the id in any case', 'OX-1', ['box-1', 'box-10', 'box-11', 'box-12']],
    ['the id without punctuation', 'box12', ['box-12']],
    ['a MAC address in another form', '0000.0000.0011', ['box-11']],
    ['the first digits of the unit', '12', ['box-12']],
    ['the ISP', 'northwave', ['box-3', 'box-4']],
    ['the package', 'fibre 5', ['box-3']],
    ['the ISP and package', 'Northwave:Fibre 500', ['box-3']],
    ['text that is special in SQL and HTML', `%_<img src=x onerror=alert(1)> ' " \\`, [hostileId]],
    ['a wildcard as it is', '%', [hostileId]],
    ['text of no agent', 'nowhere', []],
  ] as const) {
    it(`200: finds agents by ${what}`, async () => {
      const { data } = await page(`/agents?search=${encodeURIComponent(search)}`);
      expect(data.map(({ agentId }) => agentId)).to.include.members([...expected]);
      if (search !== '12') expect(data).to.have.length(expected.length);
    });
  }

  it('200: the next page keeps the search', async () => {
    const first = await page('/agents?search=box-1&limit=2');
    const second = await page(first.next!);
    const ids = [...first.data, ...second.data].map(({ agentId }) => agentId);
    expect(ids).to.deep.equal(['box-1', 'box-10', 'box-11', 'box-12']);
  });

  it('422: an invalid page or search', async () => {
    for (const [query, field] of [
      ['limit=0', 'limit'],
      ['limit=201', 'limit'],
      [`search=${'x'.repeat(201)}`, 'search'],
      ['search=a&search=b', 'search'],
      ['search=%00', 'search'],
      ['after=%00', 'after'],
    ] as const) {
      const { status, body } = await own.client.get(`/agents?${query}`);
      expect(status, query).to.equal(422);
      expect(body.errors, query).to.have.all.keys(field);
    }
  });

  it('404: an unknown agent', async () => {
    expect((await own.client.get('/agents/unit/99')).status).to.equal(404);
    expect((await own.client.get('/agents/name/99')).status).to.equal(404);
  });

  async function page(path: string): Promise<AgentsPage> {
    const { status, body } = await own.client.get(path);
    expect(status, path).to.equal(200);
    return body as unknown as AgentsPage;
  }
});
