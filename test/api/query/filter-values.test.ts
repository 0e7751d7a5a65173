import { expect } from 'chai';
import { DataApi } from '../../support/data-api.ts';
import { addDownloads } from '../../support/downloads.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { localStack, type LocalStack } from '../../support/local-stack.ts';
import { metadataClient } from '../../support/metadata-client.ts';
import { addAgent, newTenant } from '../../support/tenant.ts';

describe('GET /filters/{id}/values', () => {
  let stack: LocalStack;
  let api: DataApi;
  let demo: DataApi;
  let other: DataApi;

  before(async () => {
    stack = await localStack();
    const { database, clickhouse, queryUrl, env } = stack;
    const { organisationId, dataToken } = await newTenant(database);
    api = new DataApi(queryUrl, dataToken);
    demo = new DataApi(queryUrl, env.DEMO_DATA_TOKEN ?? '');
    other = new DataApi(queryUrl, env.OTHER_DATA_TOKEN ?? '');
    const agents = [
      { agentId: 'AA:BB-12', unitId: 12, target: 'London-2', threads: 8 },
      { agentId: 'aa-bc-13', unitId: 120, target: 'london-1', threads: 16 },
      { agentId: 'zz%_1', unitId: 31, target: 'Paris/1 %', threads: 3 },
    ];
    for (const agent of agents) {
      const agentKey = await addAgent(database, organisationId, agent);
      const download = { ...agent, agentKey, mbps: 5, dtime: '2026-02-01 10:00:00' };
      await addDownloads(clickhouse, organisationId, [download, download]);
    }
    await untilListed(api, 'agent', agents.length);
  });

  /** Agents are listed when they are published. */
  const untilListed = (client: DataApi, field: string, count: number) =>
    waitUntil(async () => {
      const values = (await valuesOf(client, `/filters/${field}/values`)) as string[];
      return values.length === count;
    });

  const valuesOf = async (client: DataApi, path: string) => (await client.get(path)).body.data;

  describe('200', () => {
    it('values of results are distinct and sorted, ignoring case', async () => {
      expect(await valuesOf(api, '/filters/target/values')).to.deep.equal([
        'london-1',
        'London-2',
        'Paris/1 %',
      ]);
      expect(await valuesOf(api, '/filters/target_set/values')).to.deep.equal(['onnet']);
    });

    it('numbers are sorted as numbers', async () => {
      expect(await valuesOf(api, '/filters/threads/values')).to.deep.equal(['3', '8', '16']);
    });

    it('a unit above 2^53 has the stored digits', async () => {
      const { database, queryUrl, metadataUrl } = stack;
      const { organisationId, dataToken, metadataToken } = await newTenant(database);
      const unitIds = ['9007199254740991', '9007199254740993', '123456789012345678'];
      for (const unitId of unitIds) {
        const agent = { agent_id: `box-${unitId}`, unit_id: unitId, kind: 'whitebox' };
        await database('agents').insert({ organisation_id: organisationId, ...agent });
        const metadata = metadataClient(metadataUrl, metadataToken);
        expect((await metadata.get(`/metadata/unit/${unitId}`)).status).to.equal(200);
      }
      const own = new DataApi(queryUrl, dataToken);
      await untilListed(own, 'unit', unitIds.length);
      expect(await valuesOf(own, '/filters/unit/values')).to.deep.equal(unitIds);
      expect(await valuesOf(own, '/filters/unit/values?search=90071992547409')).to.deep.equal(
        unitIds.slice(0, 2),
      );
    });

    it('a search matches any part of a value, in any case, and has no wildcards', async () => {
      expect(await valuesOf(api, '/filters/target/values?search=LON')).to.deep.equal([
        'london-1',
        'London-2',
      ]);
      expect(await valuesOf(api, '/filters/target/values?search=ONDON')).to.deep.equal([
        'london-1',
        'London-2',
      ]);
      expect(await valuesOf(api, '/filters/target/values?search=%25')).to.deep.equal(['Paris/1 %']);
      expect(await valuesOf(api, '/filters/target/values?search=l_n')).to.deep.equal([]);
      expect(await valuesOf(api, '/filters/target/values?search=l.n')).to.deep.equal([]);
      expect(await valuesOf(api, '/filters/target/values?search=%00')).to.deep.equal([]);
    });

    it('a search matches agents without punctuation and units by their digits', async () => {
      expect(await valuesOf(api, '/filters/agent/values?search=aa:b')).to.deep.equal([
        'aa-bc-13',
        'AA:BB-12',
      ]);
      expect(await valuesOf(api, '/filters/agent/values?search=bbc1')).to.deep.equal([]);
      expect(await valuesOf(api, '/filters/agent/values?search=bb1')).to.deep.equal(['AA:BB-12']);
      expect(await valuesOf(api, '/filters/agent/values?search=---')).to.deep.equal([]);
      expect(await valuesOf(api, '/filters/unit/values')).to.deep.equal(['12', '31', '120']);
      expect(await valuesOf(api, '/filters/unit/values?search=12')).to.deep.equal(['12', '120']);
      expect(await valuesOf(api, '/filters/unit/values?search=x')).to.deep.equal([]);
    });

    it('the limit is respected', async () => {
      expect(await valuesOf(api, '/filters/target/values?limit=1')).to.deep.equal(['london-1']);
    });

    it('values of metadata include past values', async () => {
      for (const [path, column] of [
        ['/filters/isp/values', 'isp'],
        ['/filters/country/values', 'country'],
        ['/filters/custom.tier/values', "custom['tier']"],
        ['/filters/tier/values', "custom['tier']"],
      ] as const) {
        const stored = await storedValues(column);
        expect(stored, path).not.to.be.empty;
        expect(await valuesOf(demo, `${path}?limit=1000`), path).to.deep.equal(stored);
      }
    });

    it('values of another organisation are not included', async () => {
      for (const path of ['/filters/isp/values', '/filters/agent/values', '/filters/base/values']) {
        const own = (await valuesOf(api, path)) as string[];
        const foreign = (await valuesOf(demo, path)) as string[];
        expect(own.filter((value) => foreign.includes(value))).to.deep.equal([]);
      }
    });
  });

  describe('404', () => {
    it('an unknown filter; the message suggests the closest one', async () => {
      const { status, body } = await api.get('/filters/packge/values');
      expect(status).to.equal(404);
      expect(body).to.deep.equal({
        code: 'NOT_FOUND',
        message: 'Unknown filter "packge". Did you mean "package"?',
      });
    });

    it("another organisation's custom key, like a key that does not exist", async () => {
      const foreign = await api.get('/filters/tier/values');
      expect(foreign.status).to.equal(404);
      const missing = await api.get('/filters/tyer/values');
      expect(foreign.body.message.replaceAll('tier', 'tyer')).to.equal(missing.body.message);
      expect((await other.get('/filters/custom.nothing/values')).status).to.equal(404);
    });
  });

  it('422: a limit out of range', async () => {
    for (const limit of ['0', '1001', 'ten', '-1', '1.5']) {
      const { status, body } = await api.get(`/filters/isp/values?limit=${limit}`);
      expect(status, limit).to.equal(422);
      expect(body.errors).to.have.all.keys('limit');
    }
  });

  async function storedValues(column: string): Promise<string[]> {
    const result = await stack.clickhouse.query({
      query: `SELECT DISTINCT ifNull(${column}, '') AS value FROM agent_metadata_current WHERE value != ''
  AND organisation_id = {organisation:UInt32}
ORDER BY lower(value), value`,
      query_params: { organisation: await demoId() },
      format: 'JSONEachRow',
    });
    return (await result.json<{ value: string }>()).map(({ value }) => value);
  }

  async function demoId(): Promise<number> {
    const row = await stack
      .database('organisations')
      .where({ name: 'demo' })
      .first<{ id: number }>('id');
    return row.id;
  }
});
