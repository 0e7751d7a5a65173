import { expect } from 'chai';
import { useBrowser } from '../support/browser.ts';
import { DataApi } from '../support/data-api.ts';
import { drawnOn, type DrawnSeries, openExplorer } from '../support/explorer.ts';
import { link, metricData, week } from '../support/sample-week.ts';
import { localStack } from '../support/local-stack.ts';

describe('the charts of the explorer', () => {
  const browser = useBrowser();
  let api: DataApi;
  let dataToken: string;

  before(async () => {
    const { env, queryUrl } = await localStack();
    dataToken = env.DEMO_DATA_TOKEN ?? '';
    api = new DataApi(queryUrl, dataToken);
  });

  it('draw a total as bars with error bars', async () => {
    const fragment = link({ metric: 'httpget', aggregation: 'total', split: 'isp' });
    const { page } = await openExplorer(browser, { dataToken, fragment });
    const drawn = await drawnOn(page);
    const request = {
      metric: 'httpget',
      chartType: 'aggregate',
      aggregation: 'total',
      householdIntervals: true,
      splits: ['isp'],
      normalised: false,
      prefilter: true,
      time: week,
    };
    const totals = (await metricData(api, request)).flat();
    totals.sort((a, b) => b.metricValue - a.metricValue);
    expect(drawn.kind).to.equal('bars');
    expect(
      drawn.series.filter(({ part }) => part === 'value').map(({ values }) => values),
    ).to.deep.equal(totals.map(({ metricValue }) => [metricValue]));
    expect(
      drawn.series.filter(({ part }) => part === 'high').map(({ values }) => values),
    ).to.deep.equal(totals.map(({ metricValue, ciHousehold95: half }) => [metricValue + half]));
    expect(await page.locator('.chart [data-part=interval]').count()).to.equal(totals.length);
  });

  it('draw no line across a gap', async () => {
    // One unit tests every few hours: most hours have no result.
    const filter = '["unit","include","100003"]';
    const fragment = link({ metric: 'httpget', aggregation: 'hourly', band: 'off', filter });
    const { page } = await openExplorer(browser, { dataToken, fragment });
    const { xs, series } = await drawnOn(page);
    const steps = xs.slice(1).map((x, i) => x - xs[i]!);
    expect([...new Set(steps)]).to.deep.equal([3600]);
    const [{ values }] = series as [DrawnSeries];
    const present = values.filter((value) => value !== null);
    expect(present.length).to.be.greaterThan(10).and.to.be.lessThan(xs.length);
  });

  it('draw many raw results as density, and as points after zooming in', async () => {
    const fragment = link({ metric: 'udpLatency', aggregation: 'raw' });
    const { page } = await openExplorer(browser, { dataToken, fragment });
    const results = (
      await metricData(api, {
        metric: 'udpLatency',
        chartType: 'raw',
        normalised: false,
        prefilter: true,
        time: week,
      })
    ).flat();
    const drawn = await drawnOn(page);
    expect(drawn.kind).to.equal('density');
    const inOrder = (values: readonly (number | null)[]) =>
      values.map(Number).sort((a, b) => a - b);
    expect(inOrder(drawn.series[0]!.values)).to.deep.equal(
      inOrder(results.map(({ metricValue }) => metricValue)),
    );
    const zoomIn = page.getByRole('button', { name: 'Zoom in' });
    for (let i = 0; i < 6; i++) await zoomIn.click();
    await page.locator('.chart-host[data-density=false]').waitFor();
    expect(page.url()).to.contain('zoom=');
  });

  it('show the 20 largest series and find others by name', async () => {
    const fragment = link({ metric: 'httpget', aggregation: 'total', split: 'unit' });
    const { page } = await openExplorer(browser, { dataToken, fragment });
    const shown = await labels();
    expect(shown).to.have.length(20);
    const sizes = await page.locator('.legend-size').allInnerTexts();
    const listed = sizes.map((text) => parseInt(text));
    expect(listed).to.deep.equal([...listed].sort((a, b) => b - a));

    const { body } = await api.get('/filters/unit/values');
    const other = (body.data as string[]).find(
      (unit) => unit.startsWith('1') && !shown.includes(unit),
    );
    await page.getByLabel('Find a series').fill(other!);
    await page.getByRole('button', { name: other!, pressed: false }).click();
    expect(await labels()).to.include(other);

    async function labels(): Promise<string[]> {
      const { series } = await drawnOn(page);
      return series.filter(({ part }) => part === 'value').map(({ label }) => label);
    }
  });
});
