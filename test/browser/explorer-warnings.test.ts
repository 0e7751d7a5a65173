import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { findOrganisation } from '../../services/registry/organisations/organisations.ts';
import { useBrowser } from '../support/browser.ts';
import { changeMetadata } from '../support/change-metadata.ts';
import { addDownloads } from '../support/downloads.ts';
import { accessibilityProblems, drawnOn, openExplorer } from '../support/explorer.ts';
import { isolatedStores, type IsolatedStores } from '../support/isolated-stores.ts';
import { localStack } from '../support/local-stack.ts';
import { type QueryService, startQueryService } from '../support/query-service.ts';
import { week } from '../support/sample-week.ts';
import { addAgent, newTenant, type Tenant } from '../support/tenant.ts';
import { waitUntil } from '../support/wait-until.ts';
import { waitUntilPublished } from '../support/wait-until-published.ts';

describe('the explorer shows warnings of a response', () => {
  const browser = useBrowser();

  describe('about filter values', () => {
    it('above the chart, with the value that was probably meant', async () => {
      const { page, errors } = await open('"Northwave","Northwav"');
      await loadUntilChecked(page);
      expect((await drawnOn(page)).series).to.have.length.greaterThan(0);
      expect(await warningsOn(page)).to.deep.equal([
        'No agent has ever had the isp "Northwav". Did you mean "Northwave"?',
      ]);
      const above = await page.locator('.warnings, .chart').evaluateAll(classNames);
      expect(above[0]).to.equal('warnings');
      expect(await accessibilityProblems(page)).to.deep.equal([]);
      expect(errors).to.deep.equal([]);
    });

    it('above "No results", without words of the HTTP interface', async () => {
      const { page } = await open('"Zzyzx"');
      await loadUntilChecked(page);
      await page.getByRole('heading', { name: 'No results' }).waitFor();
      const [unknown, extent, ...others] = await warningsOn(page);
      expect(unknown).to.equal(
        'No agent has ever had the isp "Zzyzx". Select a value from the list.',
      );
      expect(extent).to.match(
        /^No results match the request\. httpget has results from [\d-]+ to [\d-]+ \(UTC\)\.$/,
      );
      expect(others).to.deep.equal([]);
    });

    it('only if there are any', async () => {
      const { page } = await open('"Northwave"');
      await drawnOn(page);
      expect(await page.locator('.warnings').count()).to.equal(0);
    });

    /** A response has no such warnings if the check takes too long, as it may on a busy machine. */
    async function loadUntilChecked(page: Page): Promise<void> {
      const shown = page.locator('.chart, .notice-empty');
      await waitUntil(async () => {
        await shown.waitFor();
        const warnings = await warningsOn(page);
        if (warnings.some((text) => !text.startsWith('No results match'))) return true;
        await page.reload();
        return false;
      });
    }

    async function open(values: string) {
      const { env, database } = await localStack();
      // Other tests change agents of this organisation: a response would have another warning.
      await waitUntilPublished(database, await findOrganisation(database, 'demo'));
      const filter = `["isp","include",${values}]`;
      const fragment = new URLSearchParams({ metric: 'httpget', filter, ...week }).toString();
      return openExplorer(browser, { fragment, dataToken: env.DEMO_DATA_TOKEN ?? '' });
    }
  });

  describe('about metadata that is not published', () => {
    let stores: IsolatedStores;
    let service: QueryService;
    let tenant: Tenant;

    before(async () => {
      stores = await isolatedStores();
      const { database, clickhouse } = stores;
      tenant = await newTenant(database);
      const agent = { agentId: 'a', unitId: 1 };
      const agentKey = await addAgent(database, tenant.organisationId, agent);
      const dtime = '2026-11-03 10:00:00.000';
      await addDownloads(clickhouse, tenant.organisationId, [
        { agentKey, ...agent, dtime, mbps: 8 },
      ]);
      service = await startQueryService(stores.env);
      const change = { agent: { unit_id: 1 }, metadata: { custom: { tier: 'gold' } } };
      await changeMetadata(database, tenant, change);
    });
    after(async () => {
      await service.stop();
      await stores.close();
    });

    it('until it is published and loaded again', async () => {
      const fragment = new URLSearchParams({ metric: 'httpget', ...week }).toString();
      const { dataToken } = tenant;
      const { page } = await openExplorer(browser, { url: service.url, fragment, dataToken });
      await drawnOn(page);
      expect(await warningsOn(page)).to.deep.equal([
        'Recent metadata changes are not included yet. Load again in a few seconds.',
      ]);
      const publisher = stores.startPublisher();
      try {
        const again = page.getByRole('button', { name: 'Load again' });
        await again.click();
        while (await isBehind(page)) await again.click();
      } finally {
        await publisher.stop();
      }
      expect(await page.locator('.warnings').count()).to.equal(0);
    });

    /** Whether the response that is loading has the warning. */
    async function isBehind(page: Page): Promise<boolean> {
      // The last chart stays until the next one is there.
      await page.locator('.is-loading').waitFor({ state: 'hidden' });
      await drawnOn(page);
      return (await page.locator('.warnings').count()) > 0;
    }
  });
});

async function warningsOn(page: Page): Promise<readonly string[]> {
  return page.getByRole('region', { name: 'Warnings' }).getByRole('listitem').allInnerTexts();
}

function classNames(elements: readonly unknown[]): string[] {
  return elements.map((element) => (element as { className: string }).className);
}
