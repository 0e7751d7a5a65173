import { expect } from 'chai';
import { useBrowser } from '../support/browser.ts';
import { changeMetadata } from '../support/change-metadata.ts';
import { DataApi } from '../support/data-api.ts';
import { addDownloads } from '../support/downloads.ts';
import { drawnOn, openExplorer } from '../support/explorer.ts';
import { testedDay } from '../support/floor-panel.ts';
import { localStack } from '../support/local-stack.ts';
import { daysAgo } from '../support/metadata-tenant.ts';
import { plainRequest } from '../support/plain-request.ts';
import { link } from '../support/sample-week.ts';
import { addAgent, newTenant, type Tenant } from '../support/tenant.ts';
import { waitUntilPublished } from '../support/wait-until-published.ts';

/** Two households get 80 and 90 per cent of the advertised speed, one 30; of the last it is not known. */
const households = [
  { agentId: 'a', tier: 'gold', advertised: 100, mbps: [70, 90] },
  { agentId: 'b', tier: 'gold', advertised: 50, mbps: [45, 45] },
  { agentId: 'c', tier: 'silver', advertised: 1_000, mbps: [300, 300] },
  { agentId: 'd', tier: 'silver', mbps: [5, 5] },
];
const range = { from: testedDay, to: testedDay };

describe('the explorer in percent of the advertised speed', () => {
  const browser = useBrowser();
  let tenant: Tenant;
  let api: DataApi;

  before(async () => {
    const { database, clickhouse, queryUrl } = await localStack();
    tenant = await newTenant(database);
    api = new DataApi(queryUrl, tenant.dataToken);
    for (const { agentId, tier, advertised, mbps } of households) {
      const agentKey = await addAgent(database, tenant.organisationId, { agentId });
      const custom = { tier, ...(advertised === undefined ? {} : { advertised }) };
      await changeMetadata(database, tenant, {
        agent: { agent_id: agentId },
        metadata: { timezone: 'UTC', custom },
        backdate_from: daysAgo(10),
      });
      const rows = mbps.map((speed, i) => ({
        agentKey,
        agentId,
        mbps: speed,
        dtime: `${testedDay} 1${i}:00:00`,
      }));
      await addDownloads(clickhouse, tenant.organisationId, rows);
    }
    await waitUntilPublished(database, tenant.organisationId);
  });

  it('draws the percentages that the interface returns, in every view', async () => {
    const page = await open(link({ metric: 'httpget', view: 'ranking', split: 'tier' }, range));
    expect(await drawn(page)).to.deep.equal({ gold: 62.5, silver: 152.5 });
    await page.getByLabel('Percent of').selectOption('advertised');
    await page.getByText('percent of advertised').waitFor();
    const expected = { gold: 85, silver: 30 };
    expect(await drawn(page)).to.deep.equal(expected);
    expect(await totals({ relativeTo: 'advertised' })).to.deep.equal(expected);
    const svg = await page.locator('.chart svg').textContent();
    expect(svg).to.contain('Download speed, %').and.not.to.contain('Mbit/s');
    expect(new URL(page.url()).hash).to.contain('relative_to=advertised');

    // The better share is first, although its speed is lower.
    const { series } = await drawnOn(page);
    expect(series[0]!.label).to.equal('gold');
    await page.getByLabel('View', { exact: true }).selectOption('trend');
    await page.locator('.chart[aria-label*="Download speed, %"]').waitFor();
    expect(await drawn(page)).to.deep.equal(expected);
  });

  it('counts households above a percentage', async () => {
    const page = await open(
      link(
        {
          metric: 'httpget',
          view: 'threshold',
          threshold: '85',
          split: 'tier',
          relative_to: 'advertised',
        },
        range,
      ),
    );
    const { series } = await drawnOn(page);
    const shares = series.filter(({ part }) => part === 'value');
    expect(shares.map(({ label, values }) => [label, values[0]])).to.deep.equal([
      ['gold', 50],
      ['silver', 0],
    ]);
    expect(await page.locator('.chart svg').textContent()).to.contain('at least 85 %');
  });

  it('offers only fields with numbers', async () => {
    const { status, body } = await api.get('/splits?numeric=true');
    expect(status).to.equal(200);
    const ids = (body.data as { id: string }[]).map(({ id }) => id);
    expect(ids).to.deep.equal(['advertised']);
    const page = await open(link({ metric: 'httpget' }, range));
    const options = page.getByLabel('Percent of').locator('option:not([hidden])');
    expect(await options.allInnerTexts()).to.deep.equal(['Off (show Mbit/s)', 'advertised']);
  });

  it('refuses a field without numbers in a link, in the words of the form', async () => {
    const { page } = await openExplorer(browser, {
      dataToken: tenant.dataToken,
      fragment: link({ metric: 'httpget', relative_to: 'tier' }, range),
    });
    await page.getByText('This field has no numbers. Choose another one.').waitFor();
  });

  async function open(fragment: string) {
    const { page } = await openExplorer(browser, { dataToken: tenant.dataToken, fragment });
    await page.locator('.chart').waitFor();
    return page;
  }

  async function totals(request: object): Promise<Record<string, number>> {
    const { status, body } = await api.post('/metric_data', {
      ...plainRequest,
      aggregation: 'total',
      prefilter: true,
      splits: ['tier'],
      time: range,
      ...request,
    });
    expect(status).to.equal(200);
    const points = (body.data as { metricData: { tier: string; metricValue: number }[] }[]).flatMap(
      ({ metricData }) => metricData,
    );
    return Object.fromEntries(points.map(({ tier, metricValue }) => [tier, metricValue]));
  }
});

type Page = Awaited<ReturnType<typeof openExplorer>>['page'];

async function drawn(page: Page): Promise<Record<string, unknown>> {
  const { series } = await drawnOn(page);
  const own = series.filter(({ part }) => part === 'value');
  return Object.fromEntries(own.map(({ label, values }) => [label, values[0]]));
}
