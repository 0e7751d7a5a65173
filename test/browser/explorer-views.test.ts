import { expect } from 'chai';
import { useBrowser } from '../support/browser.ts';
import { DataApi } from '../support/data-api.ts';
import { accessibilityProblems, choose, drawnOn, openExplorer } from '../support/explorer.ts';
import { localStack } from '../support/local-stack.ts';
import { link, week } from '../support/sample-week.ts';

interface Total {
  readonly isp: string | null;
  readonly dtime: string;
  readonly aggregatedNumber: number;
  readonly metricValue: number;
  readonly ciHousehold95: number;
  readonly percentiles: Readonly<Record<string, number>>;
  readonly shares: Readonly<Record<string, number>>;
  readonly sharesCi95: Readonly<Record<string, readonly number[]>>;
  readonly partial?: true;
}

const base = {
  metric: 'httpget',
  chartType: 'aggregate',
  normalised: false,
  prefilter: true,
  time: week,
};

describe('the views of the explorer', () => {
  const browser = useBrowser();
  let api: DataApi;
  let dataToken: string;

  before(async () => {
    const { env, queryUrl } = await localStack();
    dataToken = env.DEMO_DATA_TOKEN ?? '';
    api = new DataApi(queryUrl, dataToken);
  });

  it('draw partial points apart from the line, hollow, and explain them', async () => {
    const range = { from: '2026-11-01 12:00', to: '2026-11-07 23:59:59' };
    const fragment = link({ metric: 'httpget' }, range);
    const { page } = await openExplorer(browser, { dataToken, fragment });
    const points = await pointsOf({ aggregation: 'daily', time: range });
    expect(points.map(({ partial }) => partial === true)).to.deep.equal([true, ...six(false)]);
    const { series } = await drawnOn(page);
    const values = points.map(({ metricValue }) => metricValue);
    expect(series.find(({ part }) => part === 'value')?.values).to.deep.equal([
      null,
      ...values.slice(1),
    ]);
    expect(series.find(({ part }) => part === 'partial')?.values).to.deep.equal([
      ...values.slice(0, 2),
      ...six(null).slice(1),
    ]);
    await page.locator('.chart').focus();
    await page.keyboard.press('Home');
    await page.locator('.tooltip', { hasText: 'Partial: this period is incomplete' }).waitFor();
    await page.keyboard.press('End');
    expect(await page.locator('.tooltip').innerText()).not.to.contain('Partial');
  });

  it('have presets of whole local days, which are over', async () => {
    const { page } = await openExplorer(browser, { dataToken, fragment: 'metric=httpget' });
    await page.getByRole('button', { name: 'Last 7 days' }).click();
    await page.waitForURL(/last=7/);
    const now = await page.evaluate<string>('new Date().toLocaleDateString("sv")');
    const dayBefore = (days: number) =>
      new Date(Date.parse(`${now}T00:00:00Z`) - days * 86_400_000).toISOString().slice(0, 10);
    const from = await page.getByLabel('From', { exact: true }).inputValue();
    const to = await page.getByLabel('To', { exact: true }).inputValue();
    expect([from, to]).to.deep.equal([dayBefore(7), dayBefore(1)]);
    await page.getByText(`${from} to ${to}`).waitFor();
  });

  it('keep the colour of a value when others are filtered out', async () => {
    const all = await colourOf(link({ metric: 'httpget', split: 'isp' }));
    const filter = '["isp","include","Northwave"]';
    const filters = link({ metric: 'httpget', split: 'isp', filter });
    const page = await openAt(`${filters}&filter=${encodeURIComponent('["isp","exclude","x"]')}`);
    // One series has no legend: the colour of its bar is read.
    await page.getByLabel('Aggregation').selectOption('total');
    const bar = page.locator('.chart [data-part=bar]');
    await bar.waitFor();
    expect(await bar.evaluate(fillOf)).to.equal(all);
  });

  it('show the distribution of each series', async () => {
    const page = await openAt(link({ view: 'distribution', metric: 'httpget', split: 'isp' }));
    const drawn = await drawnOn(page);
    const totals = await pointsOf({ aggregation: 'total', splits: ['isp'] });
    expect(drawn.kind).to.equal('distribution');
    expect(drawn.xs).to.deep.equal([1, 5, 10, 20, 25, 50, 75, 80, 90, 95, 99]);
    expect(drawn.series.map(({ values }) => values)).to.deep.equal(
      totals.map(({ percentiles }) => drawn.xs.map((percent) => percentiles[String(percent)])),
    );
  });

  it('show a heat map of hours and weekdays', async () => {
    const page = await openAt(link({ view: 'heatmap', metric: 'httpget' }));
    const drawn = await drawnOn(page);
    const points = await pointsOf({ aggregation: 'hour_of_week' });
    const expected = Array.from(
      { length: 168 },
      (_, hour) => points.find((one) => one.aggregatedNumber === hour)?.metricValue ?? null,
    );
    expect(drawn.series[0]?.values).to.deep.equal(expected);
    const fills = await page
      .locator('.chart svg rect')
      .evaluateAll((all) =>
        (all as { getAttribute(name: string): string }[]).map((one) => one.getAttribute('fill')),
      );
    expect(new Set(fills).size).to.be.greaterThan(20);
  });

  it('show the share of households that meet a threshold, and a ranking with intervals', async () => {
    const page = await openAt(
      link({ view: 'threshold', metric: 'httpget', split: 'isp', threshold: '100' }),
    );
    const shares = await pointsOf({
      aggregation: 'total',
      splits: ['isp'],
      household: { statistic: 'mean' },
      shares: { thresholds: [100] },
    });
    expect(await valuesOf(page, 'value')).to.deep.equal(
      byLabel(shares.map((one) => ({ ...one, metricValue: 100 * one.shares['100']! }))),
    );
    for (const [i, part] of ['low', 'high'].entries()) {
      expect(await valuesOf(page, part)).to.deep.equal(
        byLabel(shares.map((one) => ({ ...one, metricValue: 100 * one.sharesCi95['100']![i]! }))),
      );
    }
    expect(await page.locator('.data-table th').allInnerTexts()).to.include.members([
      'Share at or above 100',
      'Share at or above 100, 95% low',
      'Share at or above 100, 95% high',
      'Households',
    ]);
    await page.getByLabel('View', { exact: true }).selectOption('ranking');
    await page.locator('.chart[aria-label^=Ranking]').waitFor();
    const totals = await pointsOf({ aggregation: 'total', splits: ['isp'] });
    expect(await valuesOf(page, 'value')).to.deep.equal(byLabel(totals));
    expect(await valuesOf(page, 'low')).to.deep.equal(
      byLabel(totals.map((one) => ({ ...one, metricValue: one.metricValue - one.ciHousehold95 }))),
    );
    // Two intervals are not a test, since the same households may be on both sides: a rank is a number, not 2–3.
    const ranked = totals.toSorted((a, b) => b.metricValue - a.metricValue);
    const text = await page.locator('.chart svg').textContent();
    for (const [i, { isp }] of ranked.entries()) {
      expect(text).to.match(new RegExp(`${i + 1}\\s+${isp ?? 'unknown'}`));
    }
    expect(text).not.to.contain('–');
  });

  it('show the share of households over time, with its interval', async () => {
    const fragment = { view: 'threshold', metric: 'httpget', threshold: '100', over: 'daily' };
    const page = await openAt(link({ ...fragment, split: 'isp' }));
    const points = await pointsOf({
      aggregation: 'daily',
      splits: ['isp'],
      household: { statistic: 'mean' },
      shares: { thresholds: [100] },
    });
    const northwave = points.filter(({ isp }) => isp === 'Northwave');
    const { kind, series } = await drawnOn(page);
    expect(kind).to.equal('lines');
    const drawn = (part: string) =>
      series.find((one) => one.label === 'Northwave' && one.part === part)?.values;
    expect(northwave).to.have.length(7);
    expect(drawn('value')).to.deep.equal(northwave.map(({ shares }) => 100 * shares['100']!));
    expect(drawn('low')).to.deep.equal(northwave.map((one) => 100 * one.sharesCi95['100']![0]!));
    expect(drawn('high')).to.deep.equal(northwave.map((one) => 100 * one.sharesCi95['100']![1]!));
    expect(await page.locator('.chart').getAttribute('aria-label')).to.contain(
      'Households with at least 100 Mbit/s, %',
    );
    await page.locator('.chart').focus();
    await page.keyboard.press('Home');
    await page.locator('.tooltip', { hasText: /\d+% \(\d+ to \d+%\)/ }).waitFor();
    await page.reload();
    expect(await drawnOn(page)).to.deep.include({ kind: 'lines', series });
  });

  it('stack the shares of households between thresholds, in total and over time', async () => {
    const view = { view: 'threshold', metric: 'httpget', split: 'isp' };
    const page = await openAt(link(view));
    await page.getByLabel('Stacked shares between').fill('300, 30;100');
    await page.getByLabel('Stacked shares between').press('Tab');
    await page.waitForURL(/between=30%2C100%2C300/);
    await page.locator('.chart[aria-label^="Shares between thresholds"]').waitFor();
    const request = { splits: ['isp'], household: { statistic: 'mean' } };
    const thresholds = { shares: { thresholds: [30, 100, 300] } };
    const classes = (shares: Total['shares']) => {
      const [first, second, third] = ['30', '100', '300'].map((key) => shares[key]!) as [
        number,
        number,
        number,
      ];
      return [1 - first, first - second, second - third, third].map((share) => 100 * share);
    };
    const totals = await pointsOf({ aggregation: 'total', ...request, ...thresholds });
    const { kind, series } = await drawnOn(page);
    expect(kind).to.equal('classes');
    expect(Object.fromEntries(series.map((one) => [one.label, one.values]))).to.deep.equal(
      Object.fromEntries(totals.map(({ isp, shares }) => [isp ?? 'unknown', classes(shares)])),
    );
    const bars = page.locator('.chart [data-part=class]');
    expect(await bars.count()).to.equal(4 * totals.length);
    // The widths of a bar add up to 100 %.
    const widths = await bars.evaluateAll((all) =>
      (all as { getAttribute(name: string): string }[]).map((one) =>
        Number(one.getAttribute('width')),
      ),
    );
    const sums = totals.map((_, i) =>
      widths.slice(4 * i, 4 * i + 4).reduce((sum, one) => sum + one, 0),
    );
    for (const sum of sums) expect(sum).to.be.closeTo(sums[0]!, 0.1);
    // The tooltip has the shares above each threshold with their intervals.
    await page.locator('.chart').focus();
    await page.keyboard.press('Home');
    await page.locator('.tooltip', { hasText: /300 or more: \d+% \(\d+ to \d+%\)/ }).waitFor();
    expect(await accessibilityProblems(page)).to.deep.equal([]);

    await page.getByLabel('Share over').selectOption('daily');
    await page.waitForURL(/over=daily/);
    await page.locator('.chart svg', { hasText: 'local time' }).waitFor();
    const days = await pointsOf({ aggregation: 'daily', ...request, ...thresholds });
    const over = await drawnOn(page);
    const northwave = days.filter(({ isp }) => isp === 'Northwave');
    const drawn = over.series.filter(({ label }) => label === 'Northwave');
    expect(drawn.map(({ part }) => part)).to.deep.equal([
      'below 30 Mbit/s',
      '30 to 100 Mbit/s',
      '100 to 300 Mbit/s',
      '300 Mbit/s or more',
    ]);
    for (const [i, { values }] of drawn.entries()) {
      expect(values).to.deep.equal(northwave.map(({ shares }) => classes(shares)[i]));
    }
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    await page.reload();
    expect(await drawnOn(page)).to.deep.equal(over);
  });

  it('know that less delay and less loss are better', async () => {
    const metrics = (await api.get('/metrics')).body.data as { key: string; better: string }[];
    const betterOf = (metric: string) => metrics.find(({ key }) => key === metric)?.better;
    // A rate is in percent, as shares of the advertised speed are.
    expect(['udpPacketLoss', 'udpLatency', 'httpget'].map(betterOf)).to.deep.equal([
      'lower',
      'lower',
      'higher',
    ]);
    const loss = await openAt(link({ view: 'ranking', metric: 'udpPacketLoss', split: 'isp' }));
    const ranked = (await drawnOn(loss)).series.filter(({ part }) => part === 'value');
    const values = ranked.map((one) => Number(one.values[0]));
    expect(values).to.have.length.of.at.least(5);
    expect(values).to.deep.equal(values.toSorted((a, b) => a - b));

    const below = await openAt(
      link({ view: 'threshold', metric: 'udpLatency', split: 'isp', threshold: '20' }),
    );
    const counted = await pointsOf({
      metric: 'udpLatency',
      aggregation: 'total',
      splits: ['isp'],
      household: { statistic: 'mean' },
      shares: { thresholds: [20] },
    });
    expect(await valuesOf(below, 'value')).to.deep.equal(
      byLabel(counted.map((one) => ({ ...one, metricValue: 100 * (1 - one.shares['20']!) }))),
    );
    // The lower end of the share below is the upper end of the share at or above.
    expect(await valuesOf(below, 'low')).to.deep.equal(
      byLabel(
        counted.map((one) => ({ ...one, metricValue: 100 * (1 - one.sharesCi95['20']![1]!) })),
      ),
    );
    await below.getByText('value of below 20 ms').waitFor();
    await below.getByLabel('Threshold, ms').waitFor();

    // The strongest colour of a heat map's own scale is that of its fastest hour.
    await below.getByLabel('View', { exact: true }).selectOption('heatmap');
    await below.getByLabel('Colours').selectOption('own');
    await below.waitForURL(/colours=own/);
    await below.locator('.chart[aria-label^="Heat map"]').waitFor();
    expect(await below.locator('.chart svg').textContent()).to.contain('stronger is better');
    const { series } = await drawnOn(below);
    const hours = series[0]!.values.map((value) => value ?? Infinity);
    const fills = await below
      .locator('.chart svg rect')
      .evaluateAll((all) =>
        (all as { getAttribute(name: string): string }[]).map((one) => one.getAttribute('fill')),
      );
    expect(fills[hours.indexOf(Math.min(...hours))]).to.equal(fills[168 + 23]);
  });

  it('find metrics by their names and by what people call them', async () => {
    const page = await openAt(link({ metric: 'httpget' }));
    const field = page.getByRole('combobox', { name: 'Metric' });
    expect(await field.inputValue()).to.equal('Download speed');
    await field.fill('download');
    await page.getByRole('option').first().waitFor();
    expect(await page.getByRole('option').first().innerText()).to.match(/^Download speed\b/);
    await choose(page, 'Metric', 'bufferbloat', 'Latency while');
    await page.getByRole('heading', { name: /^Latency while/ }).waitFor();
  });

  it('keep the last chart, dimmed, while a change loads, and cancel the old query', async () => {
    const page = await openAt(link({ metric: 'httpget', split: 'isp' }));
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let held = 0;
    await page.route('**/metric_data', async (route) => {
      held += 1;
      if (held === 1) await released;
      // The first request is cancelled before it is answered.
      await route.continue().catch(() => undefined);
    });
    const cancelled = page.waitForEvent('requestfailed', (one) =>
      one.url().endsWith('/metric_data'),
    );
    await page.getByLabel('Normalise').check();
    await page.locator('.results.is-loading .chart').waitFor();
    await page.getByLabel('Households count once').check();
    expect((await cancelled).failure()?.errorText).to.equal('net::ERR_ABORTED');
    release();
    await page.getByText('households count once').waitFor();
    await page.getByText('normalised: every block of hours').waitFor();
    expect(await page.locator('.is-loading').count()).to.equal(0);
  });

  async function openAt(fragment: string) {
    const { page } = await openExplorer(browser, { dataToken, fragment });
    await page.locator('.chart').waitFor();
    return page;
  }

  async function pointsOf(request: object): Promise<readonly Total[]> {
    const body = { ...base, householdIntervals: true, ...request };
    const { status, body: response } = await api.post('/metric_data', body);
    expect(status).to.equal(200);
    return (response.data as { metricData: Total[] }[]).flatMap(({ metricData }) => metricData);
  }

  async function colourOf(fragment: string): Promise<string> {
    const page = await openAt(fragment);
    const item = page.locator('.legend-item', { hasText: 'Northwave' }).locator('.swatch');
    return item.evaluate('element => getComputedStyle(element).borderTopColor');
  }
});

const fillOf = 'element => getComputedStyle(element).fill' as unknown as () => string;

function six<T>(value: T): readonly T[] {
  return Array.from({ length: 6 }, () => value);
}

type Page = Awaited<ReturnType<typeof openExplorer>>['page'];

async function valuesOf(page: Page, part: string): Promise<Record<string, unknown>> {
  const { series } = await drawnOn(page);
  const own = series.filter((one) => one.part === part);
  return Object.fromEntries(own.map(({ label, values }) => [label, values[0]]));
}

function byLabel(points: readonly Total[]): Record<string, unknown> {
  return Object.fromEntries(points.map(({ isp, metricValue }) => [isp ?? 'unknown', metricValue]));
}
