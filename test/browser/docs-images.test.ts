import { join } from 'node:path';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { repositoryRoot } from '../../services/shared/repository-root.ts';
import { useBrowser } from '../support/browser.ts';
import { openExplorer } from '../support/explorer.ts';
import { localStack } from '../support/local-stack.ts';

const fourWeeks = 'from=2026-10-18&to=2026-11-14';
const desktop = { viewport: { width: 1360, height: 900 } };

interface Picture {
  readonly fragment: string;
  readonly context: Parameters<ReturnType<typeof useBrowser>['open']>[0];
  readonly prepare: (page: Page) => Promise<void>;
  readonly isFullPage?: true;
  /** Of the page; default: all that is visible. */
  readonly element?: string;
}

const chart = (page: Page) => page.locator('.results:not(.is-loading) .chart').waitFor();

/** The pictures of docs/images. `make pictures` takes them again. */
const pictures: Readonly<Record<string, Picture>> = {
  explorer: {
    fragment: `metric=httpget&split=isp&${fourWeeks}`,
    context: desktop,
    prepare: async (page) => {
      await chart(page);
      await page.locator('.drawing').hover({ position: { x: 620, y: 150 } });
      await page.locator('.tooltip', { hasText: 'Northwave' }).waitFor();
    },
  },
  'explorer-heatmap': {
    fragment: `view=heatmap&metric=httpget&split=isp&${fourWeeks}`,
    context: desktop,
    prepare: chart,
  },
  'explorer-comparison': {
    fragment: `view=peak&metric=httpget&split=isp&${fourWeeks}`,
    context: { viewport: { width: 1360, height: 1120 } },
    prepare: chart,
  },
  'explorer-figure': {
    fragment: `view=ranking&metric=httpget&split=isp&figure=print&window=mon.tue.wed.thu.fri~19.20.21.22&${fourWeeks}`,
    context: desktop,
    prepare: async (page) => {
      await chart(page);
      await page.locator('.figure-preview', { hasText: /\d+ households/ }).waitFor();
    },
    element: '.figure-sheet',
  },
  'explorer-phone': {
    fragment: `view=distribution&metric=httpget&split=isp&${fourWeeks}`,
    context: { viewport: { width: 390, height: 844 } },
    prepare: chart,
  },
  'explorer-agents': {
    fragment: 'tab=agents&agent=100003',
    context: { viewport: { width: 1280, height: 900 } },
    prepare: async (page) => {
      await page.getByRole('heading', { name: /^wb-0003/ }).waitFor();
      await page.getByLabel('Package').fill('Northwave:Fibre 500');
      await page.getByRole('button', { name: 'Review change' }).click();
      await page.getByText('This will change').waitFor();
    },
    isFullPage: true,
  },
};

const stack = await localStack();

describe('the pictures in the documentation', () => {
  const browser = useBrowser();

  for (const [name, picture] of Object.entries(pictures)) {
    const { fragment, context, prepare, isFullPage = false, element } = picture;
    it(`show what ${name} shows today, without an error`, async () => {
      const { DEMO_DATA_TOKEN: dataToken = '', DEMO_METADATA_TOKEN: metadataToken = '' } =
        stack.env;
      const { page, errors } = await openExplorer(browser, {
        dataToken,
        metadataToken,
        fragment,
        context,
      });
      await prepare(page);
      expect(errors).to.deep.equal([]);
      expect(await page.locator('[data-notice=error]').count()).to.equal(0);
      if (process.env.UPDATE_IMAGES !== '1') return;
      const path = join(repositoryRoot, 'docs/images', `${name}.png`);
      if (element === undefined) await page.screenshot({ path, fullPage: isFullPage });
      else await page.locator(element).screenshot({ path });
    });
  }
});
