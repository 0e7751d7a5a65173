import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { operations, serviceNames } from '../security/contract.ts';
import { useBrowser } from '../support/browser.ts';
import { type CurrentPanel, startCurrentPanel } from '../support/current-panel.ts';
import { authorize, bodyOf, openDocs, statusOf, tryOut } from '../support/docs-page.ts';

/** Their path has an id of an earlier response, or the household would be erased. */
const notPrefilled = [
  'getExport',
  'deleteExport',
  'getCsv',
  'getObject',
  'getView',
  'patchView',
  'deleteView',
  'deleteAgent',
  'getErasure',
];

describe('the examples on /docs, sent to the sample panel as they are filled in,', () => {
  const browser = useBrowser();
  let panel: CurrentPanel;
  const pages = new Map<string, Page>();

  before(async () => {
    // Enough for answers with data. Swagger UI needs seconds to paint the results of a week.
    panel = await startCurrentPanel('docs', {}, { sampleResultDays: 1 });
    for (const service of serviceNames) {
      const { url, authorization } = panel[service];
      const { page } = await openDocs(browser, url);
      await authorize(page, authorization.replace(/^Bearer /, ''));
      pages.set(service, page);
    }
  });
  after(() => panel.stop());

  const prefilled = operations.filter(({ id }) => !notPrefilled.includes(id));
  for (const { id, service } of prefilled) {
    it(`succeed: ${id} of the ${service} service`, async () => {
      const page = pages.get(service)!;
      const response = await tryOut(page, id);
      const expected = id === 'getInternalServerError' ? /^500$/ : /^20[02]$/;
      const status = await statusOf(response);
      expect(status, status.startsWith('2') ? '' : await bodyOf(response)).to.match(expected);
      // Swagger UI paints all responses again with each operation.
      const operation = page.locator(`.opblock[id$="-${id}"]`);
      await operation.getByRole('button', { name: 'Clear' }).click();
      await operation.locator('.opblock-summary-control').click();
    });
  }
});
