import { expect } from 'chai';
import { changeMetadata } from '../../support/change-metadata.ts';
import { type DataResponse, DataApi } from '../../support/data-api.ts';
import { localStack } from '../../support/local-stack.ts';
import { plainRequest } from '../../support/plain-request.ts';
import { addAgent, addPackages, newTenant, type Tenant } from '../../support/tenant.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { waitUntilPublished } from '../../support/wait-until-published.ts';

const metricQuery = {
  ...plainRequest,
  time: { from: '2026-03-01 00:00', to: '2026-03-01 23:59' },
};

const stack = await localStack();

describe('a filter value that no agent has ever had', () => {
  let tenant: Tenant;
  let api: DataApi;

  before(async () => {
    const { database } = stack;
    ({ tenant, api } = await newPanel());
    await change({ package: 'Breeze:Mobile', custom: { tier: 'draft' } }, 20);
    await change({ package: 'Breeze:Mobile', custom: { tier: 'bronze' } }, 20);
    await change({ package: 'Northwave:Fibre 100', custom: { tier: 'gold' } }, 10);
    await waitUntilPublished(database, tenant.organisationId);

    function change(metadata: object, daysAgo: number) {
      return changeMetadata(database, tenant, {
        agent: { agent_id: 'box-1' },
        metadata,
        backdate_from: Math.floor(Date.now() / 1000) - daysAgo * 86_400,
      });
    }
  });

  /** An organisation with the agent box-1, unit 7, and some packages. */
  async function newPanel(): Promise<{ tenant: Tenant; api: DataApi }> {
    const { database, queryUrl } = stack;
    const created = await newTenant(database);
    await addPackages(database, created.organisationId, {
      Northwave: ['Fibre 100', 'Fibre 500'],
      Breeze: ['Mobile'],
      Unused: ['None'],
    });
    await addAgent(database, created.organisationId, { agentId: 'box-1', unitId: 7 });
    return { tenant: created, api: new DataApi(queryUrl, created.dataToken) };
  }

  const filter = (id: string, ...filterValues: readonly string[]) => ({
    id,
    filterType: 'include',
    filterValues,
  });

  /** A response has no such warnings if the check takes too long, as it may on a busy machine. */
  async function responseWithWarnings(
    path: string,
    filters: readonly object[],
  ): Promise<DataResponse> {
    let response: DataResponse | undefined;
    await waitUntil(async () => {
      response = await api.post(path, { ...metricQuery, filters });
      expect(response.status, JSON.stringify(response.body)).to.equal(200);
      return response.body.warnings !== undefined;
    });
    return response!;
  }

  const warningsOf = async (...filters: readonly object[]) =>
    (await responseWithWarnings('/metric_data/explain', filters)).body.warnings;

  for (const path of [
    '/metric_data',
    '/metric_data/explain',
    '/metric_data.csv',
    '/metric_data_download',
  ]) {
    it(`200: POST ${path} names the value, and the one that was probably meant`, async () => {
      const filters = [filter('isp', 'Northwave', 'Northwav')];
      const { body } = await responseWithWarnings(path, filters);
      expect(body.warnings?.filter(({ code }) => code !== 'NO_RESULTS')).to.deep.equal([
        {
          code: 'UNKNOWN_VALUE',
          field: 'filters[0][filterValues][1]',
          message: 'No agent has ever had the isp "Northwav". Did you mean "Northwave"?',
        },
      ]);
    });
  }

  it('200: without a similar value, the message names the listing', async () => {
    expect(await warningsOf(filter('tier', 'platinum'))).to.deep.equal([
      {
        code: 'UNKNOWN_VALUE',
        field: 'filters[0][filterValues][0]',
        message:
          'No agent has ever had the tier "platinum". GET /filters/tier/values lists the values.',
      },
    ]);
  });

  it('200: a package, a superseded value, an agent and a unit; in exclusive filters too', async () => {
    const found = await warningsOf(
      { ...filter('package', 'Northwave:Fibre 500'), filterType: 'exclude' },
      filter('custom.tier', 'gold', 'draft'),
      filter('agent', 'box-2', 'box-1'),
      filter('unit', '007', '8'),
      filter('target', 'no.such.server'),
    );
    expect(found?.map(({ field, message }) => [field, message])).to.deep.equal([
      [
        'filters[0][filterValues][0]',
        'No agent has ever had the package "Northwave:Fibre 500". Did you mean "Northwave:Fibre 100"?',
      ],
      [
        'filters[1][filterValues][1]',
        'No agent has ever had the custom.tier "draft". GET /filters/custom.tier/values lists the values.',
      ],
      ['filters[2][filterValues][0]', 'There is no agent "box-2". Did you mean "box-1"?'],
      ['filters[3][filterValues][1]', 'There is no unit "8". Did you mean "7"?'],
    ]);
  });

  it('200: past and current values have no warning, nor do fields of results', async () => {
    const filters = [
      filter('isp', 'Breeze', 'Northwave'),
      filter('package', 'Breeze:Mobile'),
      filter('tier', 'bronze'),
      filter('target', 'no.such.server'),
    ];
    const { body } = await api.post('/metric_data/explain', { ...metricQuery, filters });
    expect(body).not.to.have.property('warnings');
  });

  it("200: another organisation's value is as unknown as any other", async () => {
    const [warning] = (await warningsOf(filter('isp', 'Southern Cross Broadband'))) ?? [];
    expect(warning?.message).to.equal(
      'No agent has ever had the isp "Southern Cross Broadband". GET /filters/isp/values lists the values.',
    );
  });

  it('200: at most 20 warnings, with those of unknown fields among them', async () => {
    const values = Array.from({ length: 30 }, (_, i) => `isp number ${i}`);
    let warnings: DataResponse['body']['warnings'];
    await waitUntil(async () => {
      const body = { ...metricQuery, zzzz: 1, filters: [filter('isp', ...values)] };
      warnings = (await api.post('/metric_data/explain', body)).body.warnings;
      return (warnings?.length ?? 0) > 1;
    });
    const codes = warnings?.map(({ code }) => code);
    expect(codes).to.deep.equal([
      'UNKNOWN_FIELD',
      ...Array.from({ length: 19 }, () => 'UNKNOWN_VALUE'),
      'MORE_WARNINGS',
    ]);
  });

  it('200: a value is known as soon as it is published', async () => {
    const own = await newPanel();
    const body = { ...metricQuery, filters: [filter('isp', 'Breeze')] };
    await waitUntilPublished(stack.database, own.tenant.organisationId);
    const warnings = async () =>
      (await own.api.post('/metric_data/explain', body)).body.warnings ?? [];
    await waitUntil(async () => (await warnings()).length === 1);
    const metadata = { package: 'Breeze:Mobile' };
    await changeMetadata(stack.database, own.tenant, { agent: { unit_id: 7 }, metadata });
    await waitUntilPublished(stack.database, own.tenant.organisationId);
    expect(await warnings()).to.deep.equal([]);
  });

  it('200: a field with more than a thousand values is checked value by value', async () => {
    const own = await newPanel();
    const { organisationId } = own.tenant;
    const agents = Array.from({ length: 1_100 }, (_, i) => `many-${i}`);
    await stack
      .database('agents')
      .insert(
        agents.map((id) => ({ organisation_id: organisationId, agent_id: id, kind: 'whitebox' })),
      );
    await waitUntilPublished(stack.database, organisationId);
    const filters = [filter('agent', ...agents.slice(0, 900), 'many-1100')];
    let body: DataResponse['body'] | undefined;
    await waitUntil(async () => {
      ({ body } = await own.api.post('/metric_data/explain', { ...metricQuery, filters }));
      return body.warnings !== undefined;
    });
    expect(body?.warnings?.map(({ field, message }) => [field, message])).to.deep.equal([
      [
        'filters[0][filterValues][900]',
        'There is no agent "many-1100". GET /filters/agent/values lists the values.',
      ],
    ]);
  });
});
