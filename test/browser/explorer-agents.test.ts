import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useBrowser } from '../support/browser.ts';
import { messageAt, openExplorer } from '../support/explorer.ts';
import { localStack } from '../support/local-stack.ts';
import { daysAgo, metadataTenant, type MetadataTenant } from '../support/metadata-tenant.ts';

describe('the agents tab of the explorer', () => {
  const browser = useBrowser();
  let panel: MetadataTenant;

  before(async () => {
    panel = await metadataTenant();
  });

  it('finds an agent, changes its metadata and shows the change in the history', async () => {
    const { page, errors, requested } = await openExplorer(browser, { fragment: 'tab=agents' });
    await page.getByLabel('Metadata token').fill(panel.tenant.metadataToken);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByLabel('Find an agent').fill('00-00-00-00-00-01');
    await page.getByLabel('Find an agent').press('Enter');
    await page.getByText('This agent has no metadata.').waitFor();

    await page.getByLabel('Package').fill('Northwave:Fibre 100');
    await page.getByLabel('Since (UTC)').fill(minuteOf(daysAgo(20)));
    await reviewAndSave(page);
    await page.locator('.outcome', { hasText: 'Metadata updated successfully' }).waitFor();

    await page.getByLabel('Package').fill('Northwave:Fibre 500');
    await page.getByLabel('Key of custom field 1').fill('floor');
    await page.getByLabel('Value of custom field 1').fill('7');
    await page.getByLabel('Since (UTC)').fill(minuteOf(daysAgo(5)));
    await reviewAndSave(page);
    await page.locator('.timeline > li').nth(1).waitFor();

    const [newer, older] = await page.locator('.timeline > li').allInnerTexts();
    expect(newer).to.contain('Northwave:Fibre 500').and.to.contain('– today');
    expect(older).to.contain('Northwave:Fibre 100');
    const changed = page.locator('.timeline > li:first-child .changed dt');
    expect(await changed.allInnerTexts()).to.deep.equal(['Package', 'floor']);
    const stored = (await panel.client.get('/metadata/unit/1')).body.data;
    expect(stored).to.deep.equal({
      package: 'Northwave:Fibre 500',
      isp: 'Northwave',
      timezone: null,
      custom: { floor: 7 },
    });

    const { queryUrl, metadataUrl } = await localStack();
    const origins = new Set(requested.map((address) => new URL(address).origin));
    expect([...origins]).to.have.members([queryUrl, metadataUrl]);
    expect(page.url()).to.contain('agent=box-1').and.to.contain('find=00-00-00-00-00-01');
    expect(page.url()).not.to.contain(panel.tenant.metadataToken);
    expect(errors).to.deep.equal([]);
  });

  it("shows the service's validation messages beside the fields", async () => {
    const { page } = await openAgent('2');
    const old = daysAgo(60);
    await page.getByLabel('Package').fill('Nowhere:Fibre');
    await page.getByLabel('Time zone').fill('Mars/Olympus');
    await page.getByLabel('Key of custom field 1').fill('12');
    await page.getByLabel('Since (UTC)').fill(minuteOf(old));
    await page.getByRole('button', { name: 'Review change' }).click();
    await page.getByText('Validation failed').waitFor();
    expect(await messageAt(page.getByLabel('Package'))).to.equal(
      'Unable to resolve new package Nowhere:Fibre. (Invalid Isp name in new package)',
    );
    expect(await messageAt(page.getByLabel('Time zone'))).to.equal(
      'Mars/Olympus is not a valid IANA timezone.',
    );
    expect(await messageAt(page.getByLabel('Since (UTC)'))).to.equal(
      `Invalid backdate (${Math.floor(old / 60) * 60}). Must be in last 28 days.`,
    );
    const custom = page.getByRole('group', { name: 'Custom fields' });
    expect(await custom.innerText()).to.contain('Invalid key');
  });

  it('reports an unknown agent, a link to an invalid unit, and a rejected token', async () => {
    const { page } = await openAgent('987654');
    await page.getByRole('heading', { name: 'No such agent' }).waitFor();
    // Links without `by` are of units, which are numbers.
    const invalid = await openAgent('box');
    await invalid.page.getByRole('heading', { name: 'No such agent' }).waitFor();

    const rejected = await openAgent('2', panel.tenant.dataToken);
    await rejected.page.getByText('Access denied').waitFor();
  });

  function openAgent(unit: string, metadataToken = panel.tenant.metadataToken) {
    return openExplorer(browser, { metadataToken, fragment: `tab=agents&agent=${unit}` });
  }
});

async function reviewAndSave(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Review change' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
}

/** The value of a date field, in UTC. */
function minuteOf(unixSeconds: number): string {
  return new Date(unixSeconds * 1000).toISOString().slice(0, 16);
}
