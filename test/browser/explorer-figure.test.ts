import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useBrowser } from '../support/browser.ts';
import { DataApi } from '../support/data-api.ts';
import { accessibilityProblems, openExplorer } from '../support/explorer.ts';
import { localStack } from '../support/local-stack.ts';
import { link } from '../support/sample-week.ts';

const days = { from: '2026-11-01', to: '2026-11-07' };
const ranking = { metric: 'httpget', split: 'isp', view: 'ranking', figure: 'print' };
const hostile = `<img src=x onerror="window.hacked=1"> & "A" 'B' 100%`;

describe('a figure of the explorer', () => {
  const browser = useBrowser();
  let dataToken: string;
  let api: DataApi;

  before(async () => {
    const { env, queryUrl } = await localStack();
    dataToken = env.DEMO_DATA_TOKEN ?? '';
    api = new DataApi(queryUrl, dataToken);
  });

  it('has title, absolute dates, the households behind it, how it was computed, and a source', async () => {
    const page = await openFigure(ranking);
    const { body } = await api.post('/metric_data', {
      metric: 'httpget',
      chartType: 'aggregate',
      aggregation: 'total',
      normalised: false,
      prefilter: true,
      time: days,
    });
    const [{ metricData: [point] = [] } = {}] = body.data as {
      metricData?: { agentCount: number }[];
    }[];
    await page.locator('.figure-preview', { hasText: /\d+ households/ }).waitFor();
    const texts = await page.locator('.figure-preview text').allTextContents();
    // Intl writes thin spaces.
    expect(texts.slice(0, 2).map((text) => text.replace(/\s/g, ' '))).to.deep.equal([
      'Download speed by ISP',
      `Mbit/s · 1 – 7 November 2026 · ${point!.agentCount} households`,
    ]);
    const all = texts.join(' ');
    expect(all).to.contain("Households' local time; prefilter: without impossible results");
    expect(all).to.match(/Source: [\d.:]+, netpanel/);
    expect(await accessibilityProblems(page)).to.deep.equal([]);
  });

  it('has the dates of the last days, and counts only the households of the shown series', async () => {
    const page = await openFigure({ ...ranking, last: '7' }, {});
    const subtitle = page.getByLabel('Subtitle of the figure', { exact: true });
    await page.locator('.figure-preview', { hasText: /\d+ households/ }).waitFor();
    const all = await subtitle.inputValue();
    expect(all)
      .to.match(/· .*\d{1,2}.*20\d\d · \d+ households$/)
      .and.not.to.contain('last');
    await page.locator('.legend-item', { hasText: 'Northwave' }).click();
    await page.waitForURL(/off=/);
    await page.locator('.figure-preview', { hasText: /\d+ households/ }).waitFor();
    const count = (text: string) => Number(/(\d+) households/.exec(text)?.[1]);
    expect(count(await subtitle.inputValue())).to.be.lessThan(count(all));
  });

  it('has texts that are edited in place, escaped, saved with the link, and limited to 2 kB', async () => {
    const page = await openFigure(ranking);
    await page.getByLabel('Title of the figure', { exact: true }).fill(hostile);
    await page.getByLabel('Note of the figure', { exact: true }).fill('');
    await page.waitForURL(/note=/);
    expect(await page.locator('.figure-preview').textContent()).to.contain(hostile);
    await page.reload();
    const title = page.getByLabel('Title of the figure', { exact: true });
    await title.waitFor();
    expect(await title.inputValue()).to.equal(hostile);
    expect(await page.locator('.figure-preview').textContent())
      .to.contain(hostile)
      .and.not.to.contain('local time');
    await page.getByLabel('Source of the figure', { exact: true }).fill('x'.repeat(2000));
    await page.getByText('The texts of a figure have at most 2000 bytes together').waitFor();
    expect(page.url()).not.to.contain('source=');
    expect(await page.evaluate('window.hacked')).to.equal(undefined);
    // A title of another chart would be wrong.
    await page.getByLabel('View', { exact: true }).selectOption('heatmap');
    await page.waitForURL((url) => !url.hash.includes('title='));
    await page
      .locator('.figure-preview', { hasText: 'Download speed by ISP, by hour and weekday' })
      .waitFor();
  });

  it('is saved as SVG, PNG and CSV with names that say what is inside, in three sizes', async () => {
    const page = await openFigure({ ...ranking, title: hostile });
    const name = 'httpget-ranking-isp-2026-11-01-2026-11-07';
    const svg = await saved(page, 'Save as SVG');
    expect(svg.name).to.equal(`${name}.svg`);
    expect(svg.content.toString()).to.contain('&lt;img src=x').and.to.contain('width="642"');
    const sizes = { print: [2008], slide: [1920, 1080], phone: [1170] };
    for (const [size, [width, height]] of Object.entries(sizes)) {
      await page.getByLabel('Size of the figure').selectOption(size);
      const { name: file, content } = await saved(page, 'Save as PNG');
      expect(file).to.equal(`${name}.png`);
      expect(content.readUInt32BE(16), size).to.be.closeTo(width!, 1);
      if (height !== undefined) expect(content.readUInt32BE(20)).to.equal(height);
    }

    await page.locator('.legend-item', { hasText: 'Northwave' }).click();
    await page.waitForURL(/off=/);
    const data = await saved(page, 'Save the data as CSV');
    expect(data.name).to.equal(`${name}.csv`);
    const [header, ...rows] = data.content.toString().trimEnd().split('\r\n');
    expect(header).to.match(/^"isp","metricValue",/);
    const drawn = await page.locator('.chart svg text').allTextContents();
    expect(rows).to.have.length.greaterThan(3);
    for (const row of rows) {
      const label = /^"([^"]*)"/.exec(row)?.[1] ?? 'unknown';
      expect(
        drawn.some((text) => text.endsWith(label)),
        label,
      ).to.equal(true);
    }
    expect(data.content.toString()).not.to.contain('Northwave');
  });

  it('is printed alone, as wide as a page of A4', async () => {
    const page = await openFigure(ranking);
    await page.emulateMedia({ media: 'print' });
    const shown = await page
      .locator(
        '.page-head, .query, .response-head, .figure-sheet, .chart, .data-table, .panel-tools',
      )
      .evaluateAll((all) =>
        (all as { checkVisibility(): boolean; className: string }[])
          .filter((one) => one.checkVisibility())
          .map(({ className }) => className),
      );
    expect(shown).to.deep.equal([]);
    const box = (await page.locator('.figure-print svg').boundingBox())!;
    // 170 mm.
    expect(box.width).to.be.closeTo(642, 2);
    const pdf = await page.pdf({ format: 'A4', margin: { left: '20mm', right: '20mm' } });
    expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)).to.have.length(1);
  });

  async function openFigure(view: Readonly<Record<string, string>>, range: object = days) {
    const fragment = link(view, range as typeof days);
    const { page, errors } = await openExplorer(browser, { dataToken, fragment });
    await page.locator('.figure-preview svg').waitFor();
    expect(errors).to.deep.equal([]);
    return page;
  }
});

async function saved(page: Page, button: string) {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: button }).click();
  const file = await download;
  return { name: file.suggestedFilename(), content: await readFile(await file.path()) };
}
