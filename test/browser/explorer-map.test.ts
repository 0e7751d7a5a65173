import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useBrowser } from '../support/browser.ts';
import { DataApi } from '../support/data-api.ts';
import { addDownloads } from '../support/downloads.ts';
import { accessibilityProblems, drawnOn, openExplorer } from '../support/explorer.ts';
import { addFloorPanel, testedDay } from '../support/floor-panel.ts';
import { localStack } from '../support/local-stack.ts';
import { mapFile } from '../support/map-file.ts';
import { plainRequest } from '../support/plain-request.ts';
import { type QueryService, startQueryService } from '../support/query-service.ts';
import { link, week } from '../support/sample-week.ts';
import { addAgent, newTenant, newTenantToken } from '../support/tenant.ts';
import { waitUntilPublished } from '../support/wait-until-published.ts';

interface RegionTotal {
  readonly region: string | null;
  readonly metricValue: number;
  readonly ciHousehold95: number;
}

const stack = await localStack();

describe('the map of the explorer', () => {
  const browser = useBrowser();
  const services: QueryService[] = [];

  after(async () => {
    for (const service of services) await service.stop();
  });

  describe('of the sample panel', () => {
    let page: Page;
    let errors: readonly string[];
    let totals: readonly RegionTotal[];

    before(async () => {
      const dataToken = stack.env.DEMO_DATA_TOKEN ?? '';
      ({ page, errors } = await openExplorer(browser, {
        dataToken,
        fragment: link({ metric: 'httpget', split: 'isp' }),
      }));
      await page.locator('.chart').waitFor();
      const { body } = await new DataApi(stack.queryUrl, dataToken).post('/metric_data', {
        ...plainRequest,
        aggregation: 'total',
        prefilter: true,
        householdIntervals: true,
        splits: ['region'],
        time: week,
      });
      totals = (body.data as { metricData: RegionTotal[] }[]).flatMap((one) => one.metricData);
    });

    it('has the value and the interval of each region, and none where there are no results', async () => {
      await page.getByLabel('View', { exact: true }).selectOption('map');
      await page.locator('.chart[aria-label^=Map]').waitFor();
      expect(totals.map(({ region }) => region)).to.have.members([
        'north',
        'east',
        'south',
        'west',
        null,
      ]);
      const known = totals.flatMap(({ region, metricValue, ciHousehold95: half }) =>
        region === null ? [] : [[region, [metricValue, metricValue - half, metricValue + half]]],
      );
      expect(await valuesOn(page)).to.deep.equal({
        ...Object.fromEntries(known),
        islands: [null, null, null],
      });
    });

    it('colours regions by their value, the highest like the end of the scale', async () => {
      const known = totals.filter(({ region }) => region !== null);
      const byValue = known.toSorted((a, b) => b.metricValue - a.metricValue);
      const fills = await page.locator('.chart svg path[fill-rule]').evaluateAll(fillsOf);
      // north, east, south, west, islands, and the hatched square of the legend.
      expect(fills).to.have.length(6);
      expect(new Set(fills.slice(0, 4)).size).to.equal(4);
      expect(fills.slice(4)).to.deep.equal(['none', 'none']);
      const scale = await page.locator('.chart svg rect').evaluateAll(fillsOf);
      const order = ['north', 'east', 'south', 'west'];
      expect(fills[order.indexOf(byValue[0]!.region ?? '')]).to.equal(scale.at(-1));
      expect(fills[order.indexOf(byValue.at(-1)!.region ?? '')]).to.equal(scale[0]);
    });

    it('names what is hatched, and the results that belong to no region', async () => {
      const text = await page.locator('.chart svg').textContent();
      expect(text)
        .to.contain('No results')
        .and.to.contain('Not on the map, but in the table: unknown');
      expect(text).not.to.contain('Suppressed');
      expect(await page.locator('tbody').textContent()).to.contain('north');
      await page.getByText('Map of regions: colours from the worst to the best').waitFor();
      // The map is always split by its field.
      expect(await page.getByRole('combobox', { name: 'Split by' }).isVisible()).to.equal(false);
      expect(new URL(page.url()).hash).to.contain('view=map').and.to.contain('split=region');
    });

    it('is read by arrow keys and by pointing at a region', async () => {
      await page.locator('.chart').focus();
      await page.keyboard.press('Home');
      await page.locator('.tooltip-title', { hasText: 'east' }).waitFor();
      await page.keyboard.press('ArrowRight');
      await page.locator('.tooltip-title', { hasText: 'islands' }).waitFor();
      expect(await page.locator('.tooltip').innerText()).to.contain('No results');
      await page.locator('.chart svg text', { hasText: /^west$/ }).hover();
      await page.locator('.tooltip-title', { hasText: 'west' }).waitFor();
      expect(await page.locator('.tooltip').innerText()).to.match(/± .* Mbit\/s/);
      expect(await accessibilityProblems(page)).to.deep.equal([]);
      expect(errors).to.deep.equal([]);
    });

    it('returns to the splits of the form with another view', async () => {
      await page.getByLabel('View', { exact: true }).selectOption('ranking');
      await page.locator('.chart[aria-label^=Ranking]').waitFor();
      expect(new URL(page.url()).hash).to.contain('split=isp').and.not.to.contain('region');
    });
  });

  it('crosses out regions that the privacy floor suppresses', async () => {
    const tenant = await newTenant(stack.database);
    await addFloorPanel(stack, tenant);
    const { organisationId } = tenant;
    const floor = { min_agents: 4 };
    const dataToken = await newTenantToken(stack.database, organisationId, 'data', floor);
    const { url } = await serviceWithMap(['east', 'north', 'south', 'west', 'sea'], 'area');
    const { page } = await openExplorer(browser, {
      url,
      dataToken,
      fragment: link({ view: 'map', metric: 'httpget' }, { from: testedDay, to: testedDay }),
    });
    const { series } = await drawnOn(page);
    const kinds = series.filter(({ part }) => part === 'value' || part === 'suppressed');
    // south and west have together 4 agents: enough for the floor.
    expect(kinds.map(({ label, part, values }) => [label, part, values[0]])).to.deep.equal([
      ['east', 'value', 101.5],
      ['north', 'value', 202],
      ['south', 'suppressed', null],
      ['west', 'suppressed', null],
      ['sea', 'value', null],
    ]);
    const text = await page.locator('.chart svg').textContent();
    expect(text).to.contain('Suppressed: too few households').and.to.contain('No results');
  });

  it('shows hostile names of regions as they are, also in files and on a phone', async () => {
    const hostile = [
      '<img src=x onerror="window.hacked = 1">',
      '</text></svg><script>window.hacked = 1</script>',
      'x'.repeat(200),
      '\u202Egnp.exe\u0007',
      '__proto__',
      'unknown',
    ];
    const { database, clickhouse } = stack;
    const tenant = await newTenant(database);
    const agentKey = await addAgent(database, tenant.organisationId, { agentId: 'one' });
    const dtime = '2026-03-01 10:00:00';
    await addDownloads(
      clickhouse,
      tenant.organisationId,
      hostile.map((target, i) => ({ agentKey, agentId: 'one', target, mbps: i + 1, dtime })),
    );
    await waitUntilPublished(database, tenant.organisationId);
    const { url } = await serviceWithMap(hostile, 'target');
    const { page, errors } = await openExplorer(browser, {
      url,
      dataToken: tenant.dataToken,
      fragment: link({ view: 'map', metric: 'httpget' }, { from: '2026-03-01', to: '2026-03-01' }),
      context: { viewport: { width: 390, height: 844 }, hasTouch: true },
    });
    const { series } = await drawnOn(page);
    const drawn = series.filter(({ part }) => part === 'value');
    expect(drawn.map(({ label, values }) => [label, values[0]])).to.deep.equal(
      hostile.map((name, i) => [name, i + 1]),
    );
    await page.locator('.chart').tap({ position: { x: 20, y: 10 } });
    // Not visible for long: after a tap the headless shell reports that the mouse has left the page.
    const tooltip = page.locator('.tooltip-title', { hasText: '<img src=x' });
    await tooltip.waitFor({ state: 'attached' });
    const tooWide = 'document.documentElement.scrollWidth - innerWidth';
    expect(await page.evaluate(tooWide)).to.be.at.most(0);
    const svg = await readFile(await savedAs(page, 'SVG'), 'utf8');
    const unsafe = await page.evaluate<number>(
      `new DOMParser().parseFromString(${JSON.stringify(svg)}, 'image/svg+xml')
        .querySelectorAll('parsererror, script, img, foreignObject').length`,
    );
    expect(unsafe).to.equal(0);
    expect(svg).to.contain('Download speed').and.to.contain('fill-rule="evenodd"');
    expect((await readFile(await savedAs(page, 'PNG'))).subarray(1, 4).toString()).to.equal('PNG');
    expect(await page.evaluate('window.hacked')).to.equal(undefined);
    expect(errors).to.deep.equal([]);
  });

  it('is not offered without a file, and a link to one explains it', async () => {
    const { url } = await started({});
    const { page } = await openExplorer(browser, {
      url,
      dataToken: stack.env.DEMO_DATA_TOKEN ?? '',
      fragment: link({ metric: 'httpget' }),
    });
    await page.locator('.chart').waitFor();
    expect(await page.locator('option[value=map]').count()).to.equal(0);
    const linked = await openExplorer(browser, {
      url,
      dataToken: stack.env.DEMO_DATA_TOKEN ?? '',
      fragment: link({ metric: 'httpget', view: 'map' }),
    });
    await linked.page.getByText('No map is available for your data').waitFor();
    await linked.page.getByLabel('View', { exact: true }).selectOption('ranking');
    await linked.page.locator('.chart[aria-label^=Ranking]').waitFor();
  });

  async function serviceWithMap(names: readonly string[], field: string): Promise<QueryService> {
    return started({ EXPLORER_MAP_FILE: await mapFile(names), EXPLORER_MAP_FIELD: field });
  }

  async function started(settings: Readonly<Record<string, string>>): Promise<QueryService> {
    const service = await startQueryService(settings);
    services.push(service);
    return service;
  }
});

/** Value and ends of the interval, by region. */
async function valuesOn(page: Page): Promise<Record<string, (number | null)[]>> {
  const { kind, series } = await drawnOn(page);
  expect(kind).to.equal('map');
  const byName: Record<string, (number | null)[]> = {};
  for (const { label, values } of series) (byName[label] ??= []).push(...values);
  return byName;
}

async function savedAs(page: Page, kind: 'SVG' | 'PNG'): Promise<string> {
  const download = page.waitForEvent('download');
  const figure = page.getByRole('button', { name: 'Figure', pressed: false });
  if ((await figure.count()) > 0) await figure.click();
  await page.getByRole('button', { name: `Save as ${kind}` }).click();
  return (await download).path();
}

function fillsOf(elements: readonly unknown[]): (string | null)[] {
  return (elements as { getAttribute(name: string): string | null }[]).map((one) =>
    one.getAttribute('fill'),
  );
}
