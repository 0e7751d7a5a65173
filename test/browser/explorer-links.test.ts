import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { type ViewKind, viewKinds } from '../../services/explorer/src/state/view-state.ts';
import { useBrowser } from '../support/browser.ts';
import { choose, drawnOn, openExplorer } from '../support/explorer.ts';
import { localStack } from '../support/local-stack.ts';
import { metadataTenant } from '../support/metadata-tenant.ts';
import { waitUntil } from '../support/wait-until.ts';

/** The keys of a link whose controls every view has. */
const common = [
  ...['v', 'metric', 'from', 'to', 'filter', 'relative_to'],
  ...['prefilter', 'normalised', 'intervals', 'panel'],
  ...['statistic', 'trim', 'window', 'min_agents', 'shares'],
  ...['figure', 'title', 'subtitle', 'note', 'source'],
];
const hasBand = ['view', 'split', 'off', 'agent_agg', 'band', 'sort'];
/** And those that a view has besides. A control that a view does not show keeps its default. */
const keysOf: Readonly<Record<ViewKind, readonly string[]>> = {
  trend: ['aggregation', 'split', 'off', 'agent_agg', 'band', 'percentile', 'zoom', 'sort'],
  ranking: hasBand,
  distribution: ['view', 'split', 'off', 'agent_agg', 'sort'],
  heatmap: hasBand,
  peak: hasBand,
  // The view itself counts every household once.
  threshold: ['view', 'split', 'off', 'threshold', 'over', 'sort'],
  change: [...hasBand, 'with', 'with_from', 'with_to', 'with_both'],
  // The map chooses its split, and shows every region.
  map: ['view', 'split', 'agent_agg', 'band', 'sort'],
};

describe('a link to a view of the explorer', () => {
  const browser = useBrowser();
  let dataToken: string;

  before(async () => {
    dataToken = (await localStack()).env.DEMO_DATA_TOKEN ?? '';
  });

  for (const view of viewKinds) {
    it(`keeps every control of the view ${view} when it is reloaded or opened elsewhere`, async () => {
      const { page, errors } = await openExplorer(browser, { dataToken });
      await page.locator('.chart').waitFor();
      await changeEveryControl(page, view);
      const hash = new URL(page.url()).hash;
      const keys = new Set(new URLSearchParams(hash.slice(1)).keys());
      expect([...keys].sort()).to.deep.equal([...common, ...keysOf[view]].sort());
      const before = await stateOf(page);

      await page.reload();
      expect(await stateOf(page)).to.deep.equal(before);
      expect(new URL(page.url()).hash).to.equal(hash);
      const other = await openExplorer(browser, { dataToken, fragment: hash.slice(1) });
      expect(await stateOf(other.page)).to.deep.equal(before);
      expect([...errors, ...other.errors]).to.deep.equal([]);
    });
  }
});

describe('a reload of the explorer', () => {
  const browser = useBrowser();

  it('keeps the last days, and a series that was shown besides the first ones', async () => {
    const { DEMO_DATA_TOKEN: dataToken = '' } = (await localStack()).env;
    const fragment = 'metric=httpget&split=unit&from=2026-11-14&to=2026-11-15&aggregation=daily';
    const { page, errors } = await openExplorer(browser, { dataToken, fragment });
    await page.getByLabel('Find a series').fill('1');
    const hidden = page.locator('.legend-item[aria-pressed=false]').first();
    const key = (await hidden.getAttribute('data-key')) ?? '';
    await hidden.click();
    await page.waitForURL(/&on=/);
    const drawn = (await drawnOn(page)).series.length;
    await page.reload();
    await page
      .locator(`.legend-item[data-key=${JSON.stringify(key)}][aria-pressed=true]`)
      .waitFor();
    expect((await drawnOn(page)).series).to.have.length(drawn);

    await page.getByLabel('Series to show').selectOption('bottom~5');
    await page.waitForURL(/rank=bottom/);
    await page.getByLabel('All others as one series').check();
    await page.locator('.legend-item[data-key=others]').waitFor();
    const ranked = await drawnOn(page);
    await page.reload();
    await page.locator('.legend-item[data-key=others]').waitFor();
    expect(await page.getByLabel('Series to show').inputValue()).to.equal('bottom~5');
    expect((await drawnOn(page)).series.map(({ label }) => label)).to.deep.equal(
      ranked.series.map(({ label }) => label),
    );

    await page.getByRole('button', { name: 'Last 7 days' }).click();
    await page.waitForURL(/last=7/);
    const range = async () => [
      await page.getByLabel('From', { exact: true }).inputValue(),
      await page.getByLabel('To', { exact: true }).inputValue(),
    ];
    const lastDays = await range();
    await page.reload();
    expect(await range()).to.deep.equal(lastDays);
    expect(errors).to.deep.equal([]);
  });

  it('keeps the tab of agents, and the agent that was found', async () => {
    const { tenant } = await metadataTenant();
    const { metadataToken } = tenant;
    const { page, errors } = await openExplorer(browser, { metadataToken, fragment: 'tab=agents' });
    const search = page.getByLabel('Find an agent');
    await search.fill('box');
    await page.waitForURL(/find=box/);
    await page.reload();
    expect(await search.inputValue()).to.equal('box');
    await page.getByText('3 agents', { exact: true }).waitFor();
    await search.fill('00-00-00-00-00-01');
    await search.press('Enter');
    await page.getByText('This agent has no metadata.').waitFor();
    const keys = [...new URLSearchParams(new URL(page.url()).hash.slice(1)).keys()];
    expect(keys.sort()).to.deep.equal(['agent', 'by', 'find', 'tab', 'v']);
    await page.reload();
    await page.getByText('This agent has no metadata.').waitFor();
    expect(await search.inputValue()).to.equal('00-00-00-00-00-01');
    // Typing goes back to the list.
    await search.fill('nowhere');
    await page.getByText('No agent matches.').waitFor();
    await page.goBack();
    await page.getByText('This agent has no metadata.').waitFor();
    expect(errors).to.deep.equal([]);
  });
});

async function changeEveryControl(page: Page, view: ViewKind): Promise<void> {
  const settled = async (key: string) => {
    await page.waitForURL((url) => url.hash.includes(`${key}=`));
    await page.locator('.results:not(.is-loading) .chart').waitFor();
  };
  const has = (key: string) => keysOf[view].includes(key);
  await page.getByLabel('View', { exact: true }).selectOption(view);
  await choose(page, 'Metric', 'upload speed', 'Upload speed');
  for (const [label, day] of [
    ['From', '2026-11-01'],
    ['To', '2026-11-07'],
  ] as const) {
    await page.getByLabel(label, { exact: true }).fill(day);
    await page.getByLabel(label, { exact: true }).press('Tab');
  }
  if (has('aggregation')) await page.getByLabel('Aggregation').selectOption('hour_of_day');
  if (has('threshold')) {
    await page.getByLabel(/^Threshold/).fill('42');
    await page.getByLabel(/^Threshold/).press('Tab');
  }
  if (has('over')) await page.getByLabel('Share over').selectOption('hour_of_day');
  if (has('with')) {
    await page.getByLabel('Compare with').selectOption('period');
    await page.getByLabel('Other period from').fill('2026-10-18');
    await page.getByLabel('Other period to').fill('2026-10-24');
    await page.getByLabel('Other period to').press('Tab');
    await page.getByLabel('Only households on both sides').check();
  }
  if (view !== 'map') await choose(page, 'Split by', 'isp', 'ISP');
  await choose(page, 'Filter by', 'country', 'Country');
  await choose(page, 'Values of Country', 'DE', 'DE');
  await page.getByLabel('Include or exclude these values of Country').selectOption('exclude');
  await page.getByLabel('Percent of').selectOption({ label: 'advertised_upload_mbps' });
  await page.getByLabel('Intervals of households').uncheck();
  await page.getByLabel('Prefilter').uncheck();
  if (has('agent_agg')) await page.getByLabel('Households count once').check();
  await page.getByLabel('Normalise').check();
  await page.locator('.report > summary').click();
  await page.getByLabel('Household statistic').selectOption('median');
  await page.getByLabel('Leave out above percentile').fill('99');
  await page.getByRole('button', { name: 'Weekday evenings' }).click();
  await page.getByLabel('Shares at thresholds').fill('10, 50');
  await page.getByLabel('Households per point, at least').fill('2');
  await page.getByLabel('Households per point, at least').press('Tab');
  await settled('min_agents');
  if (has('band')) await page.getByLabel('Confidence').selectOption('99');
  if (has('percentile')) {
    await page.getByText('Percentiles', { exact: true }).click();
    await page.getByLabel('75th').check();
  }
  if (has('zoom')) await page.getByRole('button', { name: 'Zoom in' }).click();
  if (has('off')) await page.locator('.legend-item').first().click();
  await page.locator('.data-table th button').first().click();
  await settled('sort');
  await page.getByRole('button', { name: 'Figure' }).click();
  await page.getByLabel('Size of the figure').selectOption('slide');
  for (const text of ['Title', 'Subtitle', 'Note', 'Source']) {
    await page.getByLabel(`${text} of the figure`, { exact: true }).fill(`My ${text}`);
  }
  await page.getByRole('tab', { name: 'Request' }).click();
  await settled('panel');
}

/** What the controls show, and what the chart is drawn from. */
async function stateOf(page: Page) {
  await page.locator('.chart').waitFor();
  await waitUntil(async () => (await page.locator('.panel').innerText()) !== '');
  const controls = await page
    .locator('form.query-form, .chart-tools')
    .locator('input:not([type=datetime-local]), select')
    .evaluateAll((all) =>
      (all as { type: string; checked: boolean; value: string }[]).map((one) =>
        one.type === 'checkbox' ? `${one.value} ${one.checked}` : one.value,
      ),
    );
  return {
    controls,
    chips: await page.locator('.chip').allInnerTexts(),
    figure: await page.locator('.figure-preview text').allTextContents(),
    pressed: await page
      .locator('[aria-pressed=true], [role=tab][aria-selected=true]')
      .evaluateAll((all) =>
        (all as { textContent: string; ariaLabel: string | null }[]).map(
          (one) => one.ariaLabel ?? one.textContent,
        ),
      ),
    request: await page.locator('.panel').innerText(),
    options: await page.locator('.response-head p.muted').innerText(),
    // The last digits depend on the order in which threads add up.
    drawn: JSON.parse(JSON.stringify(await drawnOn(page)), (_, value: unknown) =>
      typeof value === 'number' ? Number(value.toPrecision(6)) : value,
    ) as unknown,
    alerts: (await page.getByRole('alert').allInnerTexts()).filter((text) => text !== ''),
  };
}
