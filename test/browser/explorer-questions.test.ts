import { expect } from 'chai';
import { useBrowser } from '../support/browser.ts';
import { accessibilityProblems, openExplorer } from '../support/explorer.ts';
import { localStack } from '../support/local-stack.ts';

/** What the answer to each question shows. */
const questions = {
  'How fast is each ISP at peak?': {
    chart: /^Ranking of \d+ series/,
    options: /split by ISP.*one value per household: mean.*only Monday to Friday 19:00 to 23:00/,
    reading: 'The best is first',
  },
  'Who gets what they pay for?': {
    chart: /^Share of households with at least 90 %/,
    options: /value of at least 90 %.*percent of .*advertised_download_mbps/,
    reading: 'Each bar is a share of households',
  },
  'What changed since last month?': {
    chart: /^\d{4}-\d{2}-\d{2} to \S+ and \d{4}-\d{2}-\d{2} to \S+ of \d+ series/,
    options: /compared with/,
    reading: 'an interval that crosses 0 may be chance',
  },
  'When is it slowest?': {
    chart: /^Heat map/,
    options: /Heat map: hour and weekday/,
    reading: 'the fainter the colour, the worse the value',
  },
  'Where is it worst?': {
    chart: /^Map of \d+ regions/,
    options: /colours from the worst to the best value/,
    reading: 'The fainter the colour of a region, the worse its value',
  },
};

describe('the questions of the explorer', () => {
  const browser = useBrowser();

  it('are open on the first screen, and each leads to its view with a sentence on how to read it', async () => {
    const { DEMO_DATA_TOKEN: dataToken = '' } = (await localStack()).env;
    const { page, errors } = await openExplorer(browser, { dataToken });
    await page.locator('.chart').waitFor();
    const links = page.locator('.questions a');
    expect(await links.allInnerTexts()).to.deep.equal(Object.keys(questions));
    expect(await links.first().isVisible()).to.equal(true);
    const first = page.url();
    for (const [question, { chart, options, reading }] of Object.entries(questions)) {
      await page.getByRole('link', { name: question }).click();
      await page.waitForURL((url) => url.href !== first);
      await page.locator('.response-head .muted').filter({ hasText: options }).waitFor();
      const label = await page
        .locator('.results:not(.is-loading) .chart')
        .getAttribute('aria-label');
      expect(label, question).to.match(chart);
      await page.locator('.reading', { hasText: reading }).waitFor();
      expect(await accessibilityProblems(page), question).to.deep.equal([]);
    }
    // A question is a place in the history.
    await page.goBack();
    await page.locator('.chart[aria-label^="Heat map"]').waitFor();
    expect(errors).to.deep.equal([]);
  });

  it('are closed when a link has a view', async () => {
    const { DEMO_DATA_TOKEN: dataToken = '' } = (await localStack()).env;
    const fragment = 'metric=pingAvg&view=ranking';
    const { page } = await openExplorer(browser, { dataToken, fragment });
    await page.locator('.chart').waitFor();
    expect(await page.locator('.questions a').first().isVisible()).to.equal(false);
    await page.getByText('Questions', { exact: true }).click();
    expect(await page.locator('.questions a').first().isVisible()).to.equal(true);
  });
});
