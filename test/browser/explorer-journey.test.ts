import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { useBrowser } from '../support/browser.ts';
import { choose, drawnOn, openExplorer } from '../support/explorer.ts';
import { localStack } from '../support/local-stack.ts';

/** The width and height of a PNG file, after its signature. */
function pngSize(file: Buffer): readonly [number, number] {
  expect(file.subarray(1, 4).toString()).to.equal('PNG');
  return [file.readUInt32BE(16), file.readUInt32BE(20)];
}

describe('a person who has only a token', () => {
  const browser = useBrowser();

  it('reaches a truthful chart, a distribution, a heat map, a link and a PNG', async () => {
    const { env } = await localStack();
    const dataToken = env.DEMO_DATA_TOKEN ?? '';
    const { page, errors } = await openExplorer(browser);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByLabel('Data token').fill(dataToken);
    await page.getByRole('button', { name: 'Continue' }).click();

    // A truthful chart: whole days, intervals of households, and a subtitle that says so.
    await page.getByRole('heading', { name: 'Download speed' }).waitFor();
    const first = await drawnOn(page);
    expect(first.xs.length).to.be.at.most(28);
    expect(first.series.map(({ part }) => part)).to.include.members(['value', 'low', 'high']);
    const about = page.locator('.response-head .muted');
    expect(await about.innerText()).to.match(
      /prefilter: without impossible results.*households as the sample/,
    );
    await choose(page, 'Split by', 'isp', 'ISP');
    await page.locator('.legend-item', { hasText: 'Northwave' }).waitFor();

    await page.getByLabel('View', { exact: true }).selectOption({ label: 'Distribution' });
    await page.locator('.chart[aria-label^=Distribution]').waitFor();
    expect((await drawnOn(page)).series.length).to.be.greaterThan(3);

    await page
      .getByLabel('View', { exact: true })
      .selectOption({ label: 'Heat map: hour and weekday' });
    await page.locator('.chart[aria-label^="Heat map"]').waitFor();
    const heat = await drawnOn(page);
    expect(heat.xs).to.have.length(168);
    expect(await page.title()).to.equal(
      'Download speed by ISP · Heat map: hour and weekday · netpanel explorer',
    );

    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const link = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(link).not.to.contain(dataToken);
    const fragment = link.slice(link.indexOf('#') + 1);
    const other = await openExplorer(browser, { dataToken, fragment });
    expect(await drawnOn(other.page)).to.deep.equal(heat);

    const png = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Figure' }).click();
    await page.getByRole('button', { name: 'Save as PNG' }).click();
    const picture = await png;
    expect(picture.suggestedFilename()).to.match(/^httpget-heatmap-isp-[-\d]+\.png$/);
    const [width, height] = pngSize(await readFile(await picture.path()));
    // 170 mm at 300 pixels per inch.
    expect(width).to.equal(2008);
    expect(height).to.be.greaterThan(1000);

    const svg = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as SVG' }).click();
    const text = await readFile(await (await svg).path(), 'utf8');
    // The picture explains itself: title, options, unit and source.
    expect(text).to.contain('>Download speed by ISP, by hour and weekday</text>');
    expect(text)
      .to.contain('Mbit/s')
      .and.to.match(/Source: [\d.:]+, netpanel/);
    expect(errors).to.deep.equal([]);
  });
});
