import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useBrowser } from '../support/browser.ts';
import { DataApi } from '../support/data-api.ts';
import { addDownloads, type Download } from '../support/downloads.ts';
import { accessibilityProblems, drawnOn, openExplorer } from '../support/explorer.ts';
import { localStack } from '../support/local-stack.ts';
import { link } from '../support/sample-week.ts';
import { newTenant } from '../support/tenant.ts';

const series = 1000;
const range = { from: '2026-03-01', to: '2026-03-04' };

describe('the explorer with a thousand series', () => {
  const browser = useBrowser();
  let api: DataApi;
  let dataToken: string;

  /** Target t-7 has 7 Mbit/s on the first day and more results, of 107 Mbit/s, on the last. */
  before(async () => {
    const { database, clickhouse, queryUrl } = await localStack();
    const tenant = await newTenant(database);
    ({ dataToken } = tenant);
    api = new DataApi(queryUrl, dataToken);
    const downloads = Array.from({ length: series }, (_, i): Download[] => {
      const of = { agentKey: 1 + (i % 40), agentId: `a-${i % 40}`, target: `t-${i}` };
      return ['01 10:00', '04 10:00', '04 12:00', '04 14:00'].map((time, j) => ({
        ...of,
        dtime: `2026-03-${time}:00`,
        mbps: j === 0 ? i + 1 : i + 101,
      }));
    });
    await addDownloads(clickhouse, tenant.organisationId, downloads.flat());
  });

  it('shows the highest and the lowest by their value over the whole range', async () => {
    const page = await open();
    await page.getByText('Of 1,000 series.').waitFor();
    await page.getByLabel('Series to show').selectOption('top~5');
    await page.locator('.legend-item', { hasText: 't-999' }).waitFor();
    expect(await labels(page)).to.deep.equal(['t-999', 't-998', 't-997', 't-996', 't-995']);
    await page.getByLabel('Series to show').selectOption('bottom~5');
    await page.locator(`.legend-item[data-key='["t-0"]']`).waitFor();
    expect(await labels(page)).to.deep.equal(['t-0', 't-1', 't-2', 't-3', 't-4']);
    await page.getByLabel('Find a series').fill('t-77');
    await page.locator('.legend-item', { hasText: 't-770' }).click();
    await page.waitForURL(/on=/);
    expect(await labels(page)).to.include('t-770');
  });

  it('shows all others as one series, with the numbers of one request and not of their means', async () => {
    const page = await open();
    await page.getByLabel('Series to show').selectOption('top~5');
    await page.locator('.legend-item', { hasText: 't-999' }).waitFor();
    await page.getByLabel('All others as one series').check();
    await page.locator('.legend-item[data-key=others]').waitFor();
    const drawn = (await drawnOn(page)).series.filter(({ part }) => part === 'value');
    const others = drawn.find(({ label }) => label === 'All others together (995 series)')!;
    const { body } = await api.post('/metric_data', {
      metric: 'httpget',
      chartType: 'aggregate',
      aggregation: 'daily',
      normalised: false,
      prefilter: true,
      householdIntervals: true,
      filters: [
        {
          id: 'target',
          filterType: 'exclude',
          filterValues: ['t-995', 't-996', 't-997', 't-998', 't-999'],
        },
      ],
      time: range,
    });
    const [{ metricData: points }] = body.data as [{ metricData: { metricValue: number }[] }];
    const values = others.values.filter((value) => value !== null);
    expect(values).to.deep.equal(points.map(({ metricValue }) => metricValue));
    expect(await accessibilityProblems(page)).to.deep.equal([]);

    // Other series, other others.
    await page.locator('.legend-item', { hasText: 't-999' }).click();
    await page.locator('.legend-item', { hasText: '(996 series)' }).waitFor();
  });

  async function open(): Promise<Page> {
    const fragment = link({ metric: 'httpget', split: 'target' }, range);
    const { page } = await openExplorer(browser, { dataToken, fragment });
    await page.locator('.chart').waitFor();
    return page;
  }

  async function labels(page: Page): Promise<readonly string[]> {
    const { series: drawn } = await drawnOn(page);
    return drawn.filter(({ part }) => part === 'value').map(({ label }) => label);
  }
});
