import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useBrowser } from '../support/browser.ts';
import { addDownloads } from '../support/downloads.ts';
import { drawnOn, openExplorer } from '../support/explorer.ts';
import { localStack } from '../support/local-stack.ts';
import { addAgent, newTenant, type Tenant } from '../support/tenant.ts';
import { waitUntilPublished } from '../support/wait-until-published.ts';

const hostile = [
  '<img src=x onerror="window.hacked = 1">',
  '</text></svg><script>window.hacked = 1</script>',
  '=HYPERLINK("http://evil.example")',
  '../../etc/passwd\u0000\u0007.png',
  'a-very-long-name/with/separators:and-more-of-them:which-differ-only-at-the-end-A',
  'a-very-long-name/with/separators:and-more-of-them:which-differ-only-at-the-end-B',
  'x'.repeat(200),
  '\u202Egnp.exe',
];
const range = { from: '2026-03-01', to: '2026-03-03' };
const views = {
  'a line chart': {},
  bars: { aggregation: 'total' },
  'a ranking': { view: 'ranking' },
  'a distribution': { view: 'distribution' },
  'a heat map': { view: 'heatmap' },
  'single results': { aggregation: 'raw' },
};

describe('hostile values in the explorer', () => {
  const browser = useBrowser();
  let tenant: Tenant;

  before(async () => {
    const { database, clickhouse } = await localStack();
    tenant = await newTenant(database);
    for (const agentId of ['one', 'two']) {
      const agentKey = await addAgent(database, tenant.organisationId, { agentId });
      const rows = hostile.flatMap((target, i) =>
        [1, 2, 3].map((day) => ({
          agentKey,
          agentId,
          target,
          mbps: 10 * (i + 1) + day,
          dtime: `2026-03-0${day} 1${i}:00:00`,
        })),
      );
      await addDownloads(clickhouse, tenant.organisationId, rows);
    }
    await waitUntilPublished(database, tenant.organisationId);
  });

  for (const [name, view] of Object.entries(views)) {
    it(`are shown as they are in ${name}, its table and its files, also on a phone`, async () => {
      const fragment = new URLSearchParams({
        metric: 'httpget',
        split: 'target',
        ...range,
        ...view,
      });
      fragment.append('filter', JSON.stringify(['target', 'exclude', `${hostile[0]!} no result`]));
      const { page, errors } = await openExplorer(browser, {
        dataToken: tenant.dataToken,
        fragment: fragment.toString(),
        context: { viewport: { width: 390, height: 844 }, hasTouch: true },
      });
      const { series } = await drawnOn(page);
      if (name !== 'single results' && name !== 'a heat map') {
        expect(new Set(series.map(({ label }) => label))).to.deep.equal(new Set(hostile));
      }
      const legend = await page.locator('.legend-name').allTextContents();
      expect(new Set(legend)).to.deep.equal(new Set(hostile));
      await page.locator('.chart').tap({ position: { x: 150, y: 60 } });
      const tooWide = 'document.documentElement.scrollWidth - innerWidth';
      expect(await page.evaluate(tooWide)).to.be.at.most(0);
      const table = await page.locator('tbody').textContent();
      for (const value of hostile.slice(0, 3)) expect(table).to.contain(value);

      const svgFile = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Figure' }).click();
      await page.getByRole('button', { name: 'Save as SVG' }).click();
      const download = await svgFile;
      expect(download.suggestedFilename()).to.match(/^[\p{L}\p{N}-]+\.svg$/u);
      const text = await readFile(await download.path(), 'utf8');
      const problems = await page.evaluate<string[]>(
        `(() => {
          const svg = new DOMParser().parseFromString(${JSON.stringify(text)}, 'image/svg+xml');
          return [...svg.querySelectorAll('parsererror, script, img, foreignObject')].map(
            (one) => one.outerHTML);
        })()`,
      );
      expect(problems).to.deep.equal([]);
      const pngFile = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Save as PNG' }).click();
      expect((await readFile(await (await pngFile).path())).subarray(1, 4).toString()).to.equal(
        'PNG',
      );
      if (name === 'bars') {
        const exact = await saved(page, 'Download CSV');
        const escaped = await saved(page, 'CSV for spreadsheets');
        expect(exact).to.contain('"=HYPERLINK(""http://evil.example"")"').and.not.to.contain("'=");
        expect(escaped).to.contain(`"'=HYPERLINK(""http://evil.example"")"`);
        expect(escaped.replace(`"'=HYPERLINK`, '"=HYPERLINK')).to.equal(exact);
      }
      expect(await page.evaluate('window.hacked')).to.equal(undefined);
      expect(errors).to.deep.equal([]);
    });
  }
});

/** The text of the file that a button downloads. */
async function saved(page: Page, button: string): Promise<string> {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: button }).click();
  return readFile(await (await download).path(), 'utf8');
}
