import { expect } from 'chai';
import { changeGrants } from '../../../services/registry/organisations/grants.ts';
import { testNames } from '../../reference/panel.ts';
import { DataApi } from '../../support/data-api.ts';
import { localStack, type LocalStack } from '../../support/local-stack.ts';
import { newTenant } from '../../support/tenant.ts';

interface Listed {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly description: string;
  readonly unit: string;
  readonly type: string;
  readonly custom: boolean;
  readonly metrics: readonly string[];
  readonly chartTypes: readonly string[];
  readonly aliases: readonly string[];
  readonly filterTypes: readonly string[];
  readonly values: string;
  readonly splits: readonly string[];
}

const mobileTests = testNames.filter((name) => name.startsWith('mobile_'));
const unitTests = testNames.filter((name) => !name.startsWith('mobile_') && name !== 'cells');

describe('the listings', () => {
  let stack: LocalStack;
  let demo: DataApi;
  let newcomer: DataApi;
  let restricted: DataApi;

  before(async () => {
    stack = await localStack();
    demo = new DataApi(stack.queryUrl, stack.env.DEMO_DATA_TOKEN ?? '');
    newcomer = new DataApi(stack.queryUrl, (await newTenant(stack.database)).dataToken);
    const { organisationId, dataToken } = await newTenant(stack.database);
    const { database } = stack;
    await changeGrants(database, organisationId, 'metric', { action: 'only', keys: ['dnsFail'] });
    await changeGrants(database, organisationId, 'test', { action: 'only', keys: ['dns'] });
    restricted = new DataApi(stack.queryUrl, dataToken);
  });

  describe('GET /metrics', () => {
    it('200: every metric with its unit, aliases, chart types and splits', async () => {
      const { status, body } = await newcomer.get('/metrics');
      expect(status).to.equal(200);
      const listed = body.data as Listed[];
      const units = Object.fromEntries(listed.map(({ key, unit }) => [key, unit]));
      expect(units).to.include({
        httpget: 'mbps',
        httpget_retrans: 'count',
        jitterDown: 'ms',
        dnsResponse: 'ms',
        dnsFail: '%',
        webgetAvg: 's',
      });
      const find = (key: string) => listed.find((metric) => metric.key === key);
      expect(find('httpget')).to.deep.include({
        aliases: ['httpgetmt'],
        chartTypes: ['raw', 'aggregate'],
      });
      expect(find('httpget')?.splits).to.include.members(['threads', 'ip_version', 'isp']);
      expect(find('dnsFail')?.chartTypes).to.deep.equal(['aggregate']);
    });

    it('200: names for people, and what the prefilter does', async () => {
      const listed = (await newcomer.get('/metrics')).body.data as Listed[];
      const find = (key: string) => listed.find((metric) => metric.key === key);
      expect(find('httpget')?.name).to.equal('Download speed');
      for (const { key, description } of listed) {
        expect(description, key).to.match(/\. The prefilter (keeps|drops) .+\.$/);
      }
    });

    it('200: what a search finds, by name, description and keyword', async () => {
      const keys = async (search: string) =>
        (
          (await newcomer.get(`/metrics?search=${encodeURIComponent(search)}`)).body
            .data as Listed[]
        ).map(({ key }) => key);
      expect(await keys('Download')).to.include.members(['httpget', 'mobileDownload']);
      expect(await keys('bufferbloat'))
        .to.include.members(['pingDownload', 'pingUpload'])
        .and.not.include('pingAvg');
      expect(await keys('packet  loss')).to.include.members(['udpPacketLoss', 'pingLoss']);
      expect(await keys('no such metric')).to.deep.equal([]);
    });

    it('200: only the granted keys', async () => {
      const { body } = await restricted.get('/metrics');
      expect((body.data as Listed[]).map(({ key }) => key)).to.deep.equal(['dnsFail']);
    });
  });

  describe('GET /tests', () => {
    it('200: all tests, or only those of units or of mobile agents', async () => {
      expect((await newcomer.get('/tests')).body.data).to.have.members([
        ...unitTests,
        ...mobileTests,
        'cells',
      ]);
      const units = await newcomer.get('/tests?agents=units');
      expect(units.body.data).to.have.members(unitTests);
      const mobile = await newcomer.get('/tests?agents=mobile');
      expect(mobile.body.data).to.have.members(mobileTests);
    });

    it('200: the name of each test beside the keys, and what a search finds', async () => {
      const { body } = await newcomer.get('/tests');
      const { names } = body as unknown as { names: Record<string, string> };
      expect(names.httpget).to.equal('Download speed');
      expect(Object.keys(names)).to.have.members(body.data as string[]);
      const found = await newcomer.get('/tests?search=bufferbloat');
      expect(found.body.data).to.include('ping').and.not.include('httpget');
    });

    it('200: only the granted keys', async () => {
      expect((await restricted.get('/tests')).body.data).to.deep.equal(['dns']);
      expect((await restricted.get('/tests?agents=mobile')).body.data).to.deep.equal([]);
    });

    it('422: an unknown kind of agents, or an unknown parameter', async () => {
      const kind = await newcomer.get('/tests?agents=web');
      expect(kind.status).to.equal(422);
      expect(kind.body.errors).to.have.all.keys('agents');
      expect((await newcomer.get('/tests?kind=units')).status).to.equal(422);
    });
  });

  describe('GET /splits and GET /filters', () => {
    it("200: the contract's fields, and fields of specific metrics", async () => {
      const { body } = await newcomer.get('/splits');
      const listed = body.data as Listed[];
      const expected = `target_set package country target agent unit isp base model geo_country
        manufacturer connection_type cellular_technology carrier_name operating_system_version
        threads ip_version`;
      expect(listed.map(({ id }) => id)).to.include.members(expected.split(/\s+/));
      const find = (id: string) => listed.find((split) => split.id === id);
      expect(find('threads')).to.include({ type: 'number', custom: false });
      expect(find('threads')?.metrics).to.include('httpget').and.not.include('dnsFail');
      expect(find('model')?.metrics).to.include('mobileDownload').and.not.include('httpget');
    });

    it('200: names for people, and what a search finds', async () => {
      for (const path of ['/splits', '/filters']) {
        const found = (await newcomer.get(`${path}?search=device`)).body.data as Listed[];
        expect(found.map(({ id, name }) => [id, name])).to.deep.equal([['base', 'Device model']]);
      }
    });

    it("200: only the organisation's own custom fields", async () => {
      const custom = async (api: DataApi) =>
        ((await api.get('/splits')).body.data as Listed[])
          .filter((split) => split.custom)
          .map(({ id }) => id);
      expect(await custom(demo)).to.include('tier');
      expect(await custom(newcomer)).to.deep.equal([]);
    });

    it('200: only the splits of the granted metrics', async () => {
      const listed = (await restricted.get('/splits')).body.data as Listed[];
      expect(listed.map(({ id }) => id))
        .to.include('lookup_host')
        .and.not.include('threads');
    });

    it('200: filters have their types and a working link to their values', async () => {
      const { body } = await demo.get('/filters');
      for (const filter of body.data as Listed[]) {
        expect(filter.filterTypes).to.deep.equal(['include', 'exclude']);
        expect((await demo.get(`${filter.values}?limit=1`)).status, filter.id).to.equal(200);
      }
    });
  });
});
