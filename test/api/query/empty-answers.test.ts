import { expect } from 'chai';
import { changeGrants } from '../../../services/registry/organisations/grants.ts';
import { DataApi } from '../../support/data-api.ts';
import { addDownloads } from '../../support/downloads.ts';
import { localStack } from '../../support/local-stack.ts';
import { runNetpanel } from '../../support/netpanel.ts';
import { plainRequest } from '../../support/plain-request.ts';
import { newTenant, newTenantToken, type Tenant } from '../../support/tenant.ts';
import { waitUntilPublished } from '../../support/wait-until-published.ts';

const daily = {
  ...plainRequest,
  time: { from: '2026-03-01', to: '2026-03-31' },
};
const panel = { ...daily, metric: 'panelDownload' };
const where =
  'No results match the request. httpget has results from 2026-03-02 to 2026-04-05 (UTC).';

const stack = await localStack();

describe('an answer without rows', () => {
  let tenant: Tenant;
  let api: DataApi;
  let other: DataApi;

  before(async () => {
    tenant = await newTenant(stack.database);
    const neighbour = await newTenant(stack.database);
    [api, other] = [tenant, neighbour].map((one) => new DataApi(stack.queryUrl, one.dataToken)) as [
      DataApi,
      DataApi,
    ];
    const at = (day: string) => ({
      agentKey: 1,
      agentId: 'box',
      dtime: `${day} 12:00:00`,
      mbps: 9,
    });
    await addDownloads(stack.clickhouse, tenant.organisationId, [
      at('2026-03-02'),
      at('2026-03-20'),
      at('2026-04-05'),
    ]);
    await stack.clickhouse.insert({
      table: 'test_panel',
      format: 'JSONEachRow',
      values: [
        {
          organisation_id: neighbour.organisationId,
          agent_key: 2,
          agent_id: 'published',
          dtime: '2026-05-01 00:00:00',
          period_end: '2026-05-31',
          download_mean: 1_000_000,
        },
      ],
    });
    await Promise.all(
      [tenant, neighbour].map((one) => waitUntilPublished(stack.database, one.organisationId)),
    );
  });

  const march2025 = { time: { from: '2025-03-01', to: '2025-03-31' } };

  it('200: says from when to when the metric has results, in every format', async () => {
    expect(await warningsOf(api, { ...daily, ...march2025 })).to.deep.equal([where]);
    for (const accept of ['text/csv', 'application/x-ndjson']) {
      const response = await send({ ...daily, ...march2025 }, { accept });
      const warnings = JSON.parse(response.headers.get('netpanel-warnings') ?? '[]') as object[];
      expect(warnings).to.deep.equal([{ code: 'NO_RESULTS', message: where }]);
    }
    expect(await warningsOf(api, daily)).to.deep.equal([]);
  });

  it('200: says which metrics have results if the requested one has none', async () => {
    expect(await warningsOf(api, panel)).to.deep.equal([
      'No results match the request. Your organisation has results of httpget, but none of panelDownload.',
    ]);
    expect(await warningsOf(other, daily)).to.deep.equal([
      'No results match the request. Your organisation has results of panelDownload, but none of httpget.',
    ]);
    const nobody = await newTenant(stack.database);
    const empty = new DataApi(stack.queryUrl, nobody.dataToken);
    expect(await warningsOf(empty, daily)).to.deep.equal([
      'No results match the request. Your organisation has no results of httpget or of any other test.',
    ]);
  });

  it('200: names no metric that the organisation may not read', async () => {
    const limited = await newTenant(stack.database);
    await addDownloads(stack.clickhouse, limited.organisationId, [
      { agentKey: 3, agentId: 'x', dtime: '2026-03-02 12:00:00', mbps: 9 },
    ]);
    const only = { action: 'only', keys: ['panelDownload'] } as const;
    await changeGrants(stack.database, limited.organisationId, 'metric', only);
    const limitedApi = new DataApi(stack.queryUrl, limited.dataToken);
    const warnings = await warningsOf(limitedApi, panel);
    expect(warnings.join()).to.include('no results of panelDownload').and.not.include('httpget');
  });

  it('200: a token with a privacy floor learns the same days as from the points', async () => {
    const { database } = stack;
    const token = await newTenantToken(database, tenant.organisationId, 'data', { min_agents: 5 });
    const floored = new DataApi(stack.queryUrl, token);
    expect(await warningsOf(floored, { ...daily, ...march2025 })).to.deep.equal([where]);
    const time = { from: '2026-03-01', to: '2026-04-30' };
    const points = await floored.points({ ...daily, time });
    expect(points.map(({ dtime, metricValue }) => [dtime, metricValue])).to.deep.equal(
      ['2026-03-02', '2026-03-20', '2026-04-05'].map((day) => [day, null]),
    );
  });

  it('200: of a published panel needs the first day of the period, and no window', async () => {
    expect((await warningsOf(other, { ...panel, time: may('01', '31') })).join()).to.equal('');
    expect((await warningsOf(other, { ...panel, time: may('02', '31') })).join()).to.equal(
      'No results match the request. panelDownload has results from 2026-05-01 to 2026-05-01 (UTC). A published result has the date of the first day of its period: the range must contain that day.',
    );
    const evening = { ...panel, time: may('01', '31'), window: { hours: [19, 20] } };
    const [atStart, none] = await warningsOf(other, evening);
    expect(atStart).to.include('a window cannot select busy hours');
    expect(none).to.include('panelDownload has results from 2026-05-01');
    expect(await warningsOf(api, { ...daily, window: { hours: [12] } })).to.deep.equal([]);

    function may(from: string, to: string) {
      return { from: `2026-05-${from}`, to: `2026-05-${to}` };
    }
  });

  it('200: a filter value such as ">=30" is taken for a text, and a warning says so', async () => {
    const filters = [{ id: 'target', filterType: 'include', filterValues: ['>=30', 'n1'] }];
    const { body } = await api.post('/metric_data', { ...daily, filters });
    const [literal, none, ...others] = body.warnings ?? [];
    expect(literal).to.deep.equal({
      code: 'LITERAL_VALUE',
      field: 'filters[0][filterValues][0]',
      message:
        'A filter compares whole values: ">=30" matches only this text. Send the values themselves.',
    });
    expect(none).to.deep.equal({ code: 'NO_RESULTS', message: where });
    expect(others).to.deep.equal([]);
  });

  it('200: has no tag, since results elsewhere change its warning', async () => {
    const full = await send(daily, {});
    expect(full.headers.get('etag')).to.be.a('string');
    const empty = await send({ ...daily, ...march2025 }, {});
    expect(empty.headers.get('etag')).to.equal(null);
  });

  it('200: POST /test_data says the same of a test', async () => {
    const date = { from: '2025-01-01', to: '2025-01-02' };
    const of = async (test: string) =>
      (await api.post('/test_data', { test, date })).body.warnings?.map(({ message }) => message);
    expect(await of('httpget')).to.deep.equal([where]);
    expect(await of('dns')).to.deep.equal([
      'No results match the request. Your organisation has results of httpget, but none of dns.',
    ]);
  });

  it('netpanel query prints it once', async () => {
    const env = { QUERY_URL: stack.queryUrl, DATA_TOKEN: tenant.dataToken };
    const range = ['--from', '2025-03-01', '--to', '2025-03-31', '--format', 'table'];
    const { code, stdout, stderr } = await runNetpanel(env, ['query', 'httpget', ...range]);
    expect({ code, stdout, stderr }).to.deep.equal({
      code: 0,
      stdout: '',
      stderr: `warning: ${where}\n`,
    });
  });

  async function warningsOf(client: DataApi, request: object): Promise<readonly string[]> {
    const { status, body } = await client.post('/metric_data', request);
    expect(status, JSON.stringify(body)).to.equal(200);
    return (body.warnings ?? []).map(({ message }) => message);
  }

  function send(request: object, headers: Record<string, string>): Promise<Response> {
    return fetch(`${stack.queryUrl}/metric_data`, {
      method: 'POST',
      headers: {
        authorization: tenant.dataToken,
        'content-type': 'application/json',
        ...headers,
      },
      body: JSON.stringify(request),
    });
  }
});
