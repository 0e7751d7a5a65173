import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useBrowser } from '../support/browser.ts';
import { DataApi } from '../support/data-api.ts';
import { drawnOn, messageAt, openExplorer } from '../support/explorer.ts';
import { type LocalStack, localStack } from '../support/local-stack.ts';
import { waitUntil } from '../support/wait-until.ts';

const range = { from: '2026-11-01', to: '2026-11-07' };
const plain = {
  metric: 'httpget',
  chartType: 'aggregate',
  aggregation: 'total',
  householdIntervals: true,
  normalised: false,
  prefilter: true,
  splits: ['isp'],
  time: range,
};
const ranking = new URLSearchParams({
  view: 'ranking',
  metric: 'httpget',
  split: 'isp',
  ...range,
}).toString();

describe('the section Report of the explorer', () => {
  const browser = useBrowser();
  let stack: LocalStack;
  let api: DataApi;

  before(async () => {
    stack = await localStack();
    api = new DataApi(stack.queryUrl, stack.env.DEMO_DATA_TOKEN ?? '');
  });

  it('shows what a method sets, draws its figures, and hides series of few households', async () => {
    const page = await open(ranking);
    await page
      .getByLabel('Method')
      .selectOption({ label: 'FCC, Measuring Broadband America 2018' });
    const request = { ...plain, method: 'fcc-2018' };
    await requested(page, request);
    expect(await page.getByLabel('Household statistic').inputValue()).to.equal('mean');
    expect(await page.getByLabel('Leave out below percentile').inputValue()).to.equal('1');
    expect(await page.getByLabel('Leave out above percentile').inputValue()).to.equal('99');
    expect(await page.getByLabel('Trim by percentiles of').inputValue()).to.equal('range');
    expect(await page.getByLabel('Households per point, at least').inputValue()).to.equal('25');
    expect(await page.getByLabel('Households that changed plan').inputValue()).to.equal('longest');
    expect(await pressed(page)).to.deep.equal([...weekdays, ...evenings]);
    expect(await page.getByText('Set by the method.').count()).to.equal(7);
    expect(await page.getByLabel('Percent of').locator('option:checked').innerText()).to.match(
      /advertised_download_mbps, by the method$/,
    );
    const points = await pointsOf(request);
    const shown = points.filter(({ metricValue }) => metricValue !== null);
    expect(shown.length).to.be.greaterThan(0).and.to.be.lessThan(points.length);
    expect(await drawnValues(page)).to.deep.equal(valuesOf(shown));
    const hidden = points.filter(({ metricValue }) => metricValue === null).map(({ isp }) => isp);
    const note = await page.getByText(/^Hidden, because too few households/).innerText();
    for (const isp of hidden) expect(note).to.contain(isp ?? 'unknown');
    expect(await page.locator('.response-head .muted').innerText()).to.match(
      /percent of .*advertised_download_mbps.*method: FCC.*fewer than 25 households hidden/,
    );
  });

  it('overrides a field of the method, leaves another one out, and keeps both in the link', async () => {
    const page = await open(`${ranking}&method=fcc-2018`);
    await page.getByLabel('Household statistic').selectOption('median');
    await page.getByLabel('Households per point, at least').fill('');
    await page.getByLabel('Households per point, at least').press('Tab');
    await page.getByLabel('Percent of').selectOption('off');
    await page.getByRole('button', { name: 'All hours' }).click();
    const request = {
      ...plain,
      method: 'fcc-2018',
      household: { statistic: 'median', trim: [1, 99], trimOver: 'range' },
      minAgents: null,
      relativeTo: null,
      window: null,
    };
    await requested(page, request);
    expect(await page.getByText('Overrides the method.').count()).to.equal(3);
    expect(await drawnValues(page)).to.deep.equal(valuesOf(await pointsOf(request)));
    const fragment = new URLSearchParams(new URL(page.url()).hash.slice(1));
    expect(Object.fromEntries(fragment)).to.include({
      method: 'fcc-2018',
      statistic: 'median',
      min_agents: 'off',
      relative_to: 'off',
      window: 'off',
    });
    const before = await drawnOn(page);
    await page.reload();
    expect(await drawnOn(page)).to.deep.equal(before);

    // The value of the method is not an override.
    await page.locator('.report > summary').click();
    await page.getByLabel('Household statistic').selectOption('mean');
    await page.waitForURL((url) => !url.hash.includes('statistic='));
  });

  it('paints the hours of the week with the mouse and with the keyboard', async () => {
    const page = await open(ranking);
    const cell = (day: number, hour: number) =>
      page.locator(`.report .week-cell[data-day="${day}"][data-hour="${hour}"]`);
    await cell(5, 18).scrollIntoViewIfNeeded();
    const [from, to] = [(await cell(5, 18).boundingBox())!, (await cell(6, 20).boundingBox())!];
    await page.mouse.move(from.x + 3, from.y + 3);
    await page.mouse.down();
    await page.mouse.move(to.x + 3, to.y + 3, { steps: 5 });
    await page.mouse.up();
    const weekend = { days: ['sat', 'sun'], hours: [18, 19, 20] };
    await requested(page, { ...plain, window: weekend });
    expect(await page.locator('.response-head .muted').innerText()).to.contain(
      'only Saturday to Sunday 18:00 to 21:00',
    );
    expect(await drawnValues(page)).to.deep.equal(
      valuesOf(await pointsOf({ ...plain, window: weekend })),
    );

    // One tab stop; the arrows move, Space presses, Shift with an arrow presses on.
    await page.getByRole('button', { name: 'All hours' }).click();
    const hour = page.locator('.report').getByRole('button', { name: '0:00 to 1:00', exact: true });
    await hour.focus();
    for (let i = 0; i < 9; i++) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Space');
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('End');
    await page.keyboard.press('Space');
    await requested(page, { ...plain, window: { days: ['sun'], hours: [9, 10, 11] } });
    expect(await pressed(page)).to.deep.equal([
      'Sun',
      '9:00 to 10:00',
      '10:00 to 11:00',
      '11:00 to 12:00',
    ]);
  });

  it('has the numbers of shares and coverage in the table, and sends every other field', async () => {
    const page = await open(ranking);
    await page.getByLabel('Household statistic').selectOption('p20');
    await page.getByLabel('Days with results per household, at least').fill('3');
    await page.getByLabel('Shares at thresholds').fill('25, 100');
    await page.getByLabel('Shares at thresholds').press('Tab');
    await page.getByLabel('Coverage', { exact: true }).check();
    await page.getByLabel('Results per hour of one household').fill('0.25');
    await page.getByLabel('Results per hour of one household').press('Tab');
    await page.getByLabel('Households that changed plan').selectOption('drop');
    await page.getByLabel('Percentiles are').selectOption('lower');
    const request = {
      ...plain,
      household: { statistic: 'p20', minDays: 3 },
      shares: { thresholds: [25, 100] },
      coverage: { resultsPerHour: 0.25 },
      switchers: 'drop',
      percentileRule: 'lower',
    };
    await requested(page, request);
    const points = await pointsOf(request);
    await page.getByRole('tab', { name: 'Table' }).click();
    for (const [title, of] of [
      ['Share at or above 25', ({ shares }) => shares['25']],
      ['Share at or above 100, 95% high', ({ sharesCi95 }) => sharesCi95['100']?.[1]],
      ['Results expected', ({ coverage }) => coverage.expected],
      ['Share of households reporting', ({ coverage }) => coverage.share],
      ['Households below the minimum', ({ leftOut }) => leftOut.householdsBelowMinimum],
    ] as readonly (readonly [string, (point: ReportPoint) => number | undefined])[]) {
      expect(await column(page, title), title).to.deep.equal(
        points.map((point) => String(of(point) ?? '')),
      );
    }
  });

  it('uses the metadata of an earlier moment, and says what is wrong in its own words', async () => {
    const page = await open(ranking);
    await page.getByLabel('Metadata as recorded at (UTC)', { exact: true }).fill('now');
    await page.getByLabel('Metadata as recorded at (UTC)', { exact: true }).press('Tab');
    await page.getByText('metadata as recorded at now UTC').waitFor();
    await page.getByLabel('Metadata as recorded at (UTC)', { exact: true }).fill('2099-01-01');
    await page.getByLabel('Metadata as recorded at (UTC)', { exact: true }).press('Tab');
    await page.getByText('The moment must not be in the future.').waitFor();
    const moment = page.getByLabel('Metadata as recorded at (UTC)', { exact: true });
    expect(await messageAt(moment)).to.equal('The moment must not be in the future.');
    await moment.fill('');
    await moment.press('Tab');
    await page.getByLabel('Leave out below percentile').fill('99');
    await page.getByLabel('Leave out above percentile').fill('1');
    await page.getByLabel('Leave out above percentile').press('Tab');
    await page
      .getByText('Enter one or two percentiles from 0 to 100, the lower one first.')
      .waitFor();
    // The section opens where a link has a mistake.
    await page.reload();
    await page
      .getByText('Enter one or two percentiles from 0 to 100, the lower one first.')
      .waitFor();
    expect(await page.locator('aside').innerText()).not.to.match(/JSON|Send /);
  });

  async function open(fragment: string): Promise<Page> {
    const { page } = await openExplorer(browser, {
      dataToken: stack.env.DEMO_DATA_TOKEN ?? '',
      fragment: `${fragment}&panel=request`,
    });
    await page.locator('.chart').waitFor();
    await page.locator('.report > summary').click();
    return page;
  }

  async function pointsOf(request: object): Promise<readonly ReportPoint[]> {
    const { status, body } = await api.post('/metric_data', request);
    expect(status, JSON.stringify(body)).to.equal(200);
    return (body.data as { metricData: ReportPoint[] }[]).flatMap(({ metricData }) => metricData);
  }
});

interface ReportPoint {
  readonly isp: string | null;
  readonly metricValue: number | null;
  readonly shares: Readonly<Record<string, number>>;
  readonly sharesCi95: Readonly<Record<string, readonly number[]>>;
  readonly coverage: Readonly<Record<string, number>>;
  readonly leftOut: Readonly<Record<string, number>>;
}

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'];
const evenings = ['19:00 to 20:00', '20:00 to 21:00', '21:00 to 22:00', '22:00 to 23:00'];

/** Waits until the page shows the response to this request. */
async function requested(page: Page, request: object): Promise<void> {
  let shown: unknown;
  const isShown = async () => {
    const text = await page.locator('.results:not(.is-loading) [aria-label=JSON]').innerText();
    shown = JSON.parse(text);
    return JSON.stringify(sorted(shown)) === JSON.stringify(sorted(request));
  };
  await waitUntil(isShown).catch(() => expect(shown).to.deep.equal(request));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value) || typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, one]) => [key, sorted(one)] as const);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

async function drawnValues(page: Page): Promise<Record<string, number | null | undefined>> {
  const { series } = await drawnOn(page);
  const own = series.filter(({ part }) => part === 'value');
  return Object.fromEntries(own.map(({ label, values }) => [label, values[0]]));
}

function valuesOf(points: readonly ReportPoint[]): Record<string, number | null> {
  return Object.fromEntries(points.map(({ isp, metricValue }) => [isp ?? 'unknown', metricValue]));
}

/** The pressed buttons of the grid, days first. */
async function pressed(page: Page): Promise<readonly string[]> {
  const names = await page
    .locator('.report .week-button[aria-pressed=true]')
    .evaluateAll((all) => (all as { ariaLabel: string }[]).map(({ ariaLabel }) => ariaLabel));
  const isDay = (name: string) => name.length === 3;
  return [...names.filter(isDay), ...names.filter((name) => !isDay(name))];
}

async function column(page: Page, title: string): Promise<readonly string[]> {
  const heads = await page.locator('.data-table th').allInnerTexts();
  const place = heads.indexOf(title) + 1;
  expect(place, `${title} of ${heads.join(', ')}`).to.be.greaterThan(0);
  const cells = page.locator(`.data-table tbody td:nth-child(${place})`);
  return cells.evaluateAll((all) =>
    (all as { dataset: { value: string } }[]).map(({ dataset }) => dataset.value),
  );
}
