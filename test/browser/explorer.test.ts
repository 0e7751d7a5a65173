import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { useBrowser } from '../support/browser.ts';
import { DataApi } from '../support/data-api.ts';
import { choose, drawnOn, type DrawnSeries, messageAt, openExplorer } from '../support/explorer.ts';
import { link, metricData, type Point, week } from '../support/sample-week.ts';
import { type LocalStack, localStack } from '../support/local-stack.ts';

const uploads = {
  metric: 'httppost',
  chartType: 'aggregate',
  aggregation: 'daily',
  householdIntervals: true,
  normalised: false,
  prefilter: true,
  splits: ['isp'],
  filters: [{ id: 'isp', filterType: 'include', filterValues: ['Northwave', 'Harbour Cable'] }],
  time: week,
};
const uploadsLink = new URLSearchParams({
  metric: 'httppost',
  split: 'isp',
  filter: '["isp","include","Northwave","Harbour Cable"]',
  ...week,
}).toString();

describe('the explorer', () => {
  const browser = useBrowser();
  let stack: LocalStack;
  let api: DataApi;
  let dataToken: string;

  before(async () => {
    stack = await localStack();
    dataToken = stack.env.DEMO_DATA_TOKEN ?? '';
    api = new DataApi(stack.queryUrl, dataToken);
  });

  it('charts a metric with a split and a filter, and downloads it as CSV', async () => {
    const { page, errors, requested } = await openExplorer(browser);
    await page.getByLabel('Data token').fill(dataToken);
    await page.getByRole('button', { name: 'Continue' }).click();
    await choose(page, 'Metric', 'upload', 'Upload speed');
    await page.getByLabel('From', { exact: true }).fill(week.from);
    await page.getByLabel('To', { exact: true }).fill(week.to);
    await choose(page, 'Split by', 'isp', 'ISP');
    await choose(page, 'Filter by', 'isp', 'ISP');
    await page.getByRole('combobox', { name: 'Values of ISP', exact: true }).click();
    await page.getByRole('option', { name: 'Southern Cross Broadband' }).waitFor();
    await choose(page, 'Values of ISP', 'wave', 'Northwave');
    await choose(page, 'Values of ISP', 'harb', 'Harbour Cable');
    // Every change updates the chart: this is the last one.
    await page.getByText('ISP is Northwave or Harbour Cable').waitFor();
    await page.getByRole('heading', { name: 'Upload speed' }).waitFor();

    const series = await metricData(api, uploads);
    const drawn = await drawnOn(page);
    expect(series.map(([first]) => first!.isp)).to.deep.equal(['Harbour Cable', 'Northwave']);
    expect(drawn.xs).to.deep.equal(series[0]!.map(({ dtime }) => Date.parse(dtime) / 1000));
    expect(drawn.series).to.deep.equal(
      series.flatMap((points) => [
        line('high', points, ({ metricValue, ciHousehold95: half }) => metricValue + half),
        line('low', points, ({ metricValue, ciHousehold95: half }) => metricValue - half),
        line('value', points, ({ metricValue }) => metricValue),
      ]),
    );

    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const text = await readFile(await (await download).path(), 'utf8');
    const [header, ...rows] = text.trimEnd().split('\n');
    expect(header).to.match(/^"isp","metricValue","dtime",/);
    expect(rows.map((row) => row.split(',').slice(0, 3))).to.deep.equal(
      series
        .flat()
        .map((point) => [`"${point.isp}"`, String(point.metricValue), `"${point.dtime}"`]),
    );
    await page.getByRole('link', { name: `Download again (${rows.length} rows` }).waitFor();

    expect(errors).to.deep.equal([]);
    const origins = new Set(requested.map((address) => new URL(address).origin));
    expect([...origins]).to.deep.equal([stack.queryUrl]);
  });

  it('shows the table, the request, the SQL and the duration', async () => {
    const { page } = await openExplorer(browser, { dataToken, fragment: uploadsLink });
    const values = (await metricData(api, uploads)).flat().map(({ metricValue }) => metricValue);
    await page.locator('.chart').waitFor();
    expect(await shownValues()).to.deep.equal(values.map(String));
    await page.getByRole('button', { name: 'Mean, Mbit/s' }).click();
    await page.getByRole('button', { name: 'Mean, Mbit/s' }).click();
    const descending = [...values].sort((a, b) => b - a);
    expect(await shownValues()).to.deep.equal(descending.map(String));

    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy table' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    const columns = copied.split('\n').map((row) => row.split('\t')[3]);
    expect(columns).to.deep.equal(['metricValue', ...descending.map(String)]);

    const facts = await page.locator('.facts').innerText();
    expect(facts).to.match(/Time taken\s+[\d.]+ s/);

    await page.getByRole('tab', { name: 'Request' }).click();
    const [json, curl] = await page.locator('.panel pre').allInnerTexts();
    expect(JSON.parse(json ?? '')).to.deep.equal(uploads);
    expect(curl).to.contain('Authorization: $TOKEN').and.not.to.contain(dataToken);

    await page.getByRole('tab', { name: 'SQL' }).click();
    const sql = page.getByLabel('SQL', { exact: true }).locator('code');
    await sql.waitFor();
    const { body } = await api.post('/metric_data/explain', uploads);
    expect(await sql.textContent()).to.equal((body.data as { inlined: string }).inlined);

    function shownValues(): Promise<string[]> {
      const cells = page.locator('tbody td:nth-child(4)');
      return cells.evaluateAll((all: unknown) =>
        (all as { dataset: { value: string } }[]).map(({ dataset }) => dataset.value),
      );
    }
  });

  it('shows the progress of an export and the size of the file', async () => {
    const fragment = link({ metric: 'httpget', aggregation: 'raw' });
    const { page } = await openExplorer(browser, { dataToken, fragment });
    await page.locator('.chart').waitFor();
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/exports/*', async (route) => {
      await released;
      await route.continue();
    });
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    await page.getByRole('progressbar', { name: 'Progress of the export' }).waitFor();
    await page.getByText(/\d+ rows, [\d.]+ B/).waitFor();
    release();
    const text = await readFile(await (await download).path(), 'utf8');
    const rows = text.trimEnd().split('\n').length - 1;
    const drawn = await drawnOn(page);
    expect(rows).to.equal(drawn.series[0]!.values.length);
    const linkText = await page.getByRole('link', { name: 'Download again' }).innerText();
    expect(linkText).to.contain(`(${rows.toLocaleString('en')} rows, `);
  });

  it('keeps the complete view, but no token, in its link', async () => {
    const fragment = link({ metric: 'httpget', aggregation: 'hour_of_day', split: 'isp' });
    const first = await openExplorer(browser, { dataToken, fragment });
    await first.page.locator('.chart').waitFor();
    await first.page.getByLabel('Confidence').selectOption('off');
    await first.page.getByText('Percentiles', { exact: true }).click();
    await first.page.getByLabel('95th').check();
    await first.page.getByRole('button', { name: 'Cedar Online' }).click();
    await first.page.getByRole('button', { name: 'Zoom in' }).click();
    await first.page.getByRole('tab', { name: 'Request' }).click();
    await first.page.waitForURL(/zoom=/);
    const address = first.page.url();
    expect(address).not.to.contain(dataToken);

    const sent = address.slice(address.indexOf('#') + 1);
    const second = await openExplorer(browser, { dataToken, fragment: sent });
    const drawn = await drawnOn(second.page);
    expect(drawn).to.deep.equal(await drawnOn(first.page));
    expect(drawn.xs).to.have.length(24);
    expect(drawn.series.map(({ part }) => part)).to.include.members(['p95', 'value']);
    expect(drawn.series.map(({ part }) => part)).not.to.include('high');
    expect(drawn.series.map(({ label }) => label)).not.to.include('Cedar Online');
    await second.page.getByRole('heading', { name: 'curl' }).waitFor();
    expect(second.page.url()).to.equal(address);
  });

  it('shows errors beside the fields, in the words of the form', async () => {
    const { page } = await openExplorer(browser, { dataToken, fragment: uploadsLink });
    const metric = page.getByRole('combobox', { name: 'Metric' });
    const from = page.getByLabel('From', { exact: true });
    await metric.fill('httpgte');
    await metric.press('Enter');
    await from.fill('some day');
    await from.press('Enter');
    await page.getByRole('heading', { name: 'Validation failed' }).waitFor();
    await page.locator('.has-error', { has: from }).waitFor();
    expect(await messageAt(metric)).to.match(
      /^No metric has this name\. .*choose from the list\.$/,
    );
    expect(await metric.getAttribute('aria-invalid')).to.equal('true');
    expect(await messageAt(from)).to.match(/^Enter a date such as 2026-01-31/);
    expect(await page.locator('aside').innerText()).not.to.match(/\[|JSON|Send /);
  });

  it('cancels a running query on request', async () => {
    const long = { metric: 'httpget', aggregation: 'hourly', split: 'unit' };
    const fragment = link(long, { from: '2026-09-16 00:00', to: '2026-11-14 00:00' });
    const { page } = await openExplorer(browser, { dataToken, fragment });
    const cancel = page.getByRole('button', { name: 'Cancel' });
    await cancel.waitFor();
    const stopped = page.waitForEvent('requestfailed', (one) => one.url().endsWith('/metric_data'));
    await cancel.click();
    expect((await stopped).failure()?.errorText).to.equal('net::ERR_ABORTED');
    await page.getByRole('heading', { name: 'Cancelled' }).waitFor();
    expect(await page.locator('.chart').count()).to.equal(0);
  });

  it('reports a rejected token and an empty result, and forgets a token on request', async () => {
    const { page } = await openExplorer(browser, { dataToken: 'npd_not-a-token' });
    await page.getByText('Access denied').waitFor();
    await page.getByLabel('Data token').fill(dataToken);
    await page.getByLabel('Data token').press('Enter');
    await page.getByLabel('From', { exact: true }).fill('2001-01-01 00:00');
    await page.getByLabel('To', { exact: true }).fill('2001-01-02 00:00');
    await page.getByLabel('To', { exact: true }).press('Enter');
    await page.getByRole('heading', { name: 'No results' }).waitFor();
    await page.getByRole('button', { name: 'Forget token' }).click();
    await page.getByLabel('Data token').waitFor();
    expect(await page.evaluate('sessionStorage.length + localStorage.length')).to.equal(0);
  });
});

function line(
  part: string,
  points: readonly Point[],
  valueOf: (point: Point) => number,
): DrawnSeries {
  return { label: points[0]!.isp, part, values: points.map(valueOf) };
}
