import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useBrowser } from '../support/browser.ts';
import { accessibilityProblems, drawnOn, openExplorer } from '../support/explorer.ts';
import { localStack } from '../support/local-stack.ts';
import { link, week } from '../support/sample-week.ts';
import { waitUntil } from '../support/wait-until.ts';

describe('small multiples, axes and colours of the explorer', () => {
  const browser = useBrowser();
  let dataToken: string;

  before(async () => {
    const { env } = await localStack();
    dataToken = env.DEMO_DATA_TOKEN ?? '';
  });

  it('draw a panel per value of a split on the same axes, and a reload keeps them', async () => {
    const view = 'metric=httpget&split=isp&split=package&band=off';
    const page = await openAt(`${view}&${link({})}`);
    await page.getByLabel('Panels').selectOption('isp');
    await page.waitForURL(/panels=isp/);
    const { series } = await drawnOn(page);
    const isps = new Set(series.map(({ label }) => label.split(' · ')[0]));
    expect(isps.size).to.be.greaterThan(3);
    const titles = await boldTexts(page);
    expect(titles).to.have.members([...isps]);
    // All panels have the numbers of one axis.
    const ticks = await tickTexts(page);
    expect(ticks.length % isps.size).to.equal(0);
    expect(new Set(ticks).size).to.equal(ticks.length / isps.size);
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    await page.reload();
    expect((await drawnOn(page)).series).to.deep.equal(series);
    expect(await boldTexts(page)).to.deep.equal(titles);
    // The cursor reads the panel that it is in.
    const title = page.locator('.chart svg text[font-weight]').nth(1);
    const box = (await title.boundingBox())!;
    await page.mouse.move(box.x + 80, box.y + 70);
    const tooltip = await page.locator('.tooltip').innerText();
    expect(tooltip).to.contain(titles[1]);
    expect(tooltip).not.to.contain(titles[0]);
  });

  it('have values in relation to the first point, and a logarithmic axis', async () => {
    const page = await openAt(link({ metric: 'httpget', split: 'isp' }));
    const measured = valuesOf(await drawnOn(page));
    await page.getByLabel('Values').selectOption('index');
    await page.waitForURL(/relative=index/);
    const relative = valuesOf(await drawnOn(page));
    for (const [i, values] of measured.entries()) {
      const [first = 0] = values;
      expect(relative[i]![0]).to.equal(100);
      for (const [day, value] of values.entries()) {
        expect(relative[i]![day]).to.be.closeTo((100 * value!) / first!, 1e-9);
      }
    }
    await page.getByText('intervals without the error of the first point').waitFor();
    await page.getByLabel('Values').selectOption('percent');
    expect(valuesOf(await drawnOn(page)).every(([first]) => first === 0)).to.equal(true);
    await page.getByLabel('Values').selectOption('off');
    await page.getByLabel('Axis').selectOption('log');
    await page.waitForURL(/scale=log/);
    expect(await page.locator('.drawing > svg').textContent()).to.contain('logarithmic axis');
    // Equal factors have equal distances.
    const places = await page
      .locator('.drawing svg text[text-anchor=end]')
      .evaluateAll((all) =>
        (all as unknown as Element[]).map((one) => [
          Number(one.textContent.replaceAll(',', '')),
          Number(one.getAttribute('y')),
        ]),
      );
    const [[a, ya] = [1, 0], [b, yb] = [1, 0], [c, yc] = [1, 0]] = places as [number, number][];
    const ratio = Math.log(b / a) / Math.log(c / a);
    expect((yb - ya) / (yc - ya)).to.be.closeTo(ratio, 0.02);
    expect(await accessibilityProblems(page)).to.deep.equal([]);
  });

  it('have distinct colours for what is visible, which stay while others are hidden', async () => {
    const view = 'metric=httpget&aggregation=total&split=isp&split=package';
    const page = await openAt(`${view}&${link({})}`);
    const before = await looks(page);
    expect(before.size).to.be.greaterThan(8);
    expect(new Set(before.values()).size).to.equal(before.size);
    const [first = ''] = before.keys();
    await page.locator('.legend-item', { hasText: first }).click();
    const after = await looks(page);
    expect(after.has(first)).to.equal(false);
    for (const [name, look] of after) expect(look).to.equal(before.get(name));
    // Of few series each has a colour of its own, without dashes being needed.
    await page.getByRole('button', { name: 'Hide all' }).click();
    for (const name of [...before.keys()].slice(0, 7)) {
      await page.locator('.legend-item', { hasText: name }).first().click();
    }
    const few = await looks(page);
    expect(new Set([...few.values()].map((look) => look.split('|')[0])).size).to.equal(few.size);
  });

  it('colour heat maps by one scale, or by one each', async () => {
    const page = await openAt(link({ view: 'heatmap', metric: 'httpget', split: 'isp' }));
    const { series } = await drawnOn(page);
    expect(series.length).to.be.greaterThan(2);
    const scales = () => page.locator('.chart svg text', { hasText: 'stronger is better' }).count();
    expect(await scales()).to.equal(1);
    const strongest = series
      .slice(0, 6)
      .map(({ values }) => Math.max(...values.map((value) => value ?? -Infinity)));
    const fills = await page
      .locator('.chart svg rect')
      .evaluateAll((all) => (all as unknown as Element[]).map((one) => one.getAttribute('fill')));
    const cellOf = (map: number) => fills[168 * map + series[map]!.values.indexOf(strongest[map]!)];
    const best = strongest.indexOf(Math.max(...strongest));
    for (const map of strongest.keys()) {
      expect(cellOf(map) === cellOf(best)).to.equal(strongest[map] === strongest[best]);
    }
    await page.getByLabel('Colours').selectOption('own');
    await page.waitForURL(/colours=own/);
    expect(await scales()).to.equal(Math.min(series.length, 6));
  });

  it('use the width of a large screen, and fit a phone', async () => {
    const fragment = link({ metric: 'httpget', split: 'isp', panels: 'isp' });
    const wide = await openAt(fragment, { viewport: { width: 1920, height: 1080 } });
    const { width = 0 } = (await wide.locator('main').boundingBox()) ?? {};
    expect(width / 1920).to.be.greaterThan(0.95);
    const chart = (await wide.locator('.drawing > svg').boundingBox())!;
    expect(chart.width).to.be.greaterThan(1300);
    const phone = await openAt(fragment, { viewport: { width: 390, height: 800 } });
    expect(await phone.evaluate<number>('document.documentElement.scrollWidth')).to.equal(390);
    expect(await accessibilityProblems(phone)).to.deep.equal([]);
  });

  it("write numbers and dates as the browser's language does", async () => {
    const fragment = link({ metric: 'httpget', split: 'isp' });
    const page = await openAt(fragment, { locale: 'de-DE' });
    await page.locator('.chart').focus();
    await page.keyboard.press('Home');
    const tooltip = await page.locator('.tooltip').innerText();
    expect(tooltip)
      .to.match(/So\., 1\. Nov\. 2026/)
      .and.to.match(/\d,\d+ Mbit\/s|\d ± \d/);
    expect(await page.locator('.chart svg').first().textContent()).to.match(/\d\. Nov\./);
    const cells = await page.locator('.data-table td.number').allInnerTexts();
    expect(cells.some((text) => /^\d+,\d+$/.test(text))).to.equal(true);
    expect(cells.some((text) => /^\d+\.\d{1,2}$/.test(text))).to.equal(false);
  });

  it('draw 28,800 points, and react to legend, cursor and zoom within 200 ms', async () => {
    const page = await openAt(link({ metric: 'httpget', split: 'isp' }));
    const hours = 60 * 24;
    await page.route('**/metric_data', (route) =>
      route.fulfill({ json: { code: 'OK', data: manySeries(hours) } }),
    );
    await page.getByLabel('Aggregation').selectOption('hourly');
    await waitUntil(async () => (await drawnOn(page)).xs.length === hours);
    const { series } = await drawnOn(page);
    expect(series.filter(({ part }) => part === 'value')).to.have.length(20);
    const d = await page.locator('.chart [data-part=value]').first().getAttribute('d');
    // At most four points per column of pixels.
    const { width = 0 } = (await page.locator('.drawing > svg').boundingBox()) ?? {};
    expect(d!.split('L').length)
      .to.be.below(4 * width)
      .and.above(width / 2);
    // Of the page's thread, because other programs share the machine.
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' } as object);
    const cpuMs = async () => {
      const { metrics } = await session.send('Performance.getMetrics');
      return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN);
    };
    const box = (await page.locator('.drawing').boundingBox())!;
    const interactions = [
      () => page.locator('.legend-item').nth(5).click(),
      () => page.mouse.move(box.x + box.width / 2, box.y + box.height / 2),
      () => page.getByRole('button', { name: 'Zoom in' }).click(),
    ];
    for (const interact of interactions) {
      const before = await cpuMs();
      await interact();
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');
      expect((await cpuMs()) - before).to.be.below(200);
    }
  });

  async function openAt(fragment: string, context: Parameters<typeof browser.open>[0] = {}) {
    const { page } = await openExplorer(browser, { dataToken, fragment, context });
    await page.locator('.chart').waitFor();
    return page;
  }
});

function valuesOf({ series }: Awaited<ReturnType<typeof drawnOn>>) {
  return series.filter(({ part }) => part === 'value').map(({ values }) => values);
}

function boldTexts(page: Page): Promise<string[]> {
  return page.locator('.drawing svg text[font-weight]').allTextContents();
}

function tickTexts(page: Page): Promise<string[]> {
  return page.locator('.drawing svg text[text-anchor=end]').allTextContents();
}

/** Colour and dashes of each series that is shown, by its name in the legend. */
async function looks(page: Page): Promise<Map<string, string>> {
  const items = page.locator('.legend-item[aria-pressed=true]');
  const names = await items.locator('.legend-name').allTextContents();
  const colours = await items
    .locator('.swatch')
    .evaluateAll((all) =>
      (all as unknown as Element[]).map(
        (one) => `${one.getAttribute('style') ?? ''}|${one.getAttribute('data-line') ?? ''}`,
      ),
    );
  return new Map(names.map((name, i) => [name, colours[i] ?? '']));
}

/** What the tests read of an element. */
interface Element {
  readonly textContent: string;
  getAttribute(name: string): string | null;
}

/** 20 series of hours, with intervals. */
function manySeries(hours: number) {
  const start = Date.parse(`${week.from.slice(0, 10)}T00:00:00Z`);
  return Array.from({ length: 20 }, (_, one) => ({
    name: `Series ${one}`,
    metricData: Array.from({ length: hours }, (_hour, i) => {
      const metricValue =
        100 + 30 * one + 20 * Math.sin(i / 7 + one) + ((i * 7919 + one * 31) % 13);
      return {
        isp: `Series ${one}`,
        dtime: new Date(start + i * 3_600_000).toISOString().slice(0, 19),
        metricValue,
        ciHousehold90: 5,
        ciHousehold95: 6,
        ciHousehold99: 8,
        ci90: 5,
        ci95: 6,
        ci99: 8,
        sampleCount: 40,
        agentCount: 10,
        min: 1,
        max: 900,
        median: metricValue,
        stddev: 3,
        percentiles: {},
      };
    }),
  }));
}
