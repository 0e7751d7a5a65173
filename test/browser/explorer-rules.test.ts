import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { repositoryRoot } from '../../services/shared/repository-root.ts';
import { useBrowser } from '../support/browser.ts';
import { accessibilityProblems, drawnOn, openExplorer } from '../support/explorer.ts';
import { localStack } from '../support/local-stack.ts';

const week = 'from=2026-11-01+00%3A00&to=2026-11-07+23%3A59';
const views: Readonly<Record<string, string>> = {
  'a chart': `metric=httpget&split=isp&${week}`,
  'bars, filters and the request': `metric=httpget&aggregation=total&split=isp&panel=request&${week}&filter=%5B%22isp%22%2C%22exclude%22%2C%22Northwave%22%5D`,
  'a distribution': `view=distribution&metric=httpget&split=isp&${week}`,
  'a heat map': `view=heatmap&metric=httpget&${week}`,
  'a ranking': `view=ranking&metric=httpget&split=package&${week}`,
  'a comparison and its sentences': `view=change&metric=httpget&split=isp&${week}`,
  'another group to compare with': `view=change&with=group&with_filter=%5B%22isp%22%2C%22include%22%2C%22Northwave%22%5D&metric=httpget&${week}`,
  'hours to compare with': `view=change&with=window&with_window=sat.sun~&metric=httpget&${week}`,
  'shares over time': `view=threshold&over=daily&threshold=100&metric=httpget&split=isp&${week}`,
  'a method': `view=ranking&method=fcc-2018&metric=httpget&split=isp&${week}`,
  'an agent': 'tab=agents&agent=100003',
};
const contexts = {
  'in light mode': { colorScheme: 'light' },
  'in dark mode': { colorScheme: 'dark' },
  'on a phone': { viewport: { width: 390, height: 844 } },
} as const;

const stack = await localStack();

describe('the explorer', () => {
  const browser = useBrowser();

  for (const [where, context] of Object.entries(contexts)) {
    it(`has no accessibility violation ${where} and fits the window width`, async () => {
      for (const [name, fragment] of Object.entries(views)) {
        const { page, errors } = await open(fragment, context);
        await page.locator('.chart, .agent').waitFor();
        await openEverything(page);
        expect(await accessibilityProblems(page), name).to.deep.equal([]);
        const tooWide = 'document.documentElement.scrollWidth - innerWidth';
        expect(await page.evaluate(tooWide), name).to.be.at.most(0);
        expect(errors, name).to.deep.equal([]);
      }
      const { page } = await openExplorer(browser, { context });
      await page.getByLabel('Data token').waitFor();
      expect(await accessibilityProblems(page), 'without a token').to.deep.equal([]);
    });
  }

  it('announces the points of a chart to screen readers and zooms with the keyboard', async () => {
    const { page } = await open(`metric=httpget&split=isp&${week}`);
    await page.locator('.chart').focus();
    await page.keyboard.press('ArrowRight');
    const announced = await page.locator('.visually-hidden[role=status]').textContent();
    expect(announced).to.match(/1 Nov 2026, local time\. /);
    expect(announced).to.match(/Northwave: [\d.]+ ± [\d.]+ Mbit\/s, \d+ results · \d+ households/);
    await page.locator('.tooltip', { hasText: 'Northwave' }).waitFor();
    await page.keyboard.press('+');
    await page.waitForURL(/zoom=/);
    await page.keyboard.press('0');
    await page.waitForURL((address) => !address.hash.includes('zoom='));
  });

  it('shows the values under the mouse, zooms in by dragging and out by double click', async () => {
    const { page } = await open(`metric=httpget&${week}`);
    const { xs, series } = await drawnOn(page);
    const plot = page.locator('.drawing');
    const box = (await plot.boundingBox())!;
    const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    await page.mouse.move(middle.x, middle.y);
    const tooltip = await page.locator('.tooltip').innerText();
    const value = series.find(({ part }) => part === 'value')!.values[(xs.length - 1) / 2]!;
    expect(tooltip).to.contain('Wed, 4 Nov 2026, local time');
    // Rounded to what the interval supports.
    expect(tooltip).to.match(/[\d,.]+ ± \d+(\.\d+)? Mbit\/s/);
    const [shown = '', half = ''] = /([\d,.]+) ± ([\d.]+)/.exec(tooltip)?.slice(1) ?? [];
    expect(half.replace('.', '').replace(/^0+/, '')).to.have.length(2);
    expect(Number(shown.replaceAll(',', ''))).to.be.closeTo(value, Number(half) / 10);
    expect(tooltip).to.match(/\d+ results · \d+ households/);

    await page.mouse.down();
    await page.mouse.move(middle.x + box.width / 4, middle.y, { steps: 4 });
    await page.mouse.up();
    await page.waitForURL(/zoom=/);
    const [from = 0, to = 0] = decodeURIComponent(/zoom=([^&]+)/.exec(page.url())?.[1] ?? '')
      .split('~')
      .map(Number);
    expect((to - from) / (xs.at(-1)! - xs[0]!)).to.be.closeTo(0.26, 0.03);
    await plot.dblclick();
    await page.waitForURL((address) => !address.hash.includes('zoom='));
  });

  it('is served with a strict content security policy, cached assets and a revalidated page', async () => {
    const response = await fetch(`${stack.queryUrl}/explorer`);
    expect(response.headers.get('content-security-policy')?.split('; ')).to.deep.equal([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self'",
      `connect-src 'self' ${stack.metadataUrl}`,
      "form-action 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ]);
    expect(response.headers.get('cache-control')).to.equal('no-cache');
    const html = await response.text();
    expect(html).not.to.match(/<script(?![^>]* src=)/);
    const script = /<script[^>]* src="([^"]+)"/.exec(html)?.[1] ?? '';
    const asset = await fetch(`${stack.queryUrl}${script}`);
    expect(asset.status).to.equal(200);
    expect(asset.headers.get('cache-control')).to.equal('public, max-age=31536000, immutable');
  });

  it('has less than 300 KB of gzipped script', () => {
    const folder = join(repositoryRoot, 'dist/explorer/assets');
    const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'));
    const gzipped = scripts.map((name) => gzipSync(readFileSync(join(folder, name))).length);
    const bytes = gzipped.reduce((sum, size) => sum + size, 0);
    expect(bytes).to.be.greaterThan(10_000).and.to.be.lessThan(300_000);
  });

  /** On a phone the form is closed too. */
  async function openEverything(page: Page): Promise<void> {
    const form = page.locator('.query-toggle[aria-expanded=false]:visible');
    if ((await form.count()) > 0) await form.click();
    for (const summary of await page.locator('.report > summary, .questions > summary').all()) {
      const isOpen = await summary.evaluate('element => element.parentElement.open' as never);
      if (isOpen !== true) await summary.click();
    }
  }

  function open(fragment: string, context: Parameters<typeof browser.open>[0] = {}) {
    const { DEMO_DATA_TOKEN: dataToken = '', DEMO_METADATA_TOKEN: metadataToken = '' } = stack.env;
    return openExplorer(browser, { dataToken, metadataToken, fragment, context });
  }
});
