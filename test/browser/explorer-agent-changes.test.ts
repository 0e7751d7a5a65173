import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { addDownloads } from '../support/downloads.ts';
import { useBrowser } from '../support/browser.ts';
import { accessibilityProblems, drawnOn, openExplorer } from '../support/explorer.ts';
import { localStack } from '../support/local-stack.ts';
import { daysAgo, metadataTenant, type MetadataTenant } from '../support/metadata-tenant.ts';
import { addAgent, addPackages, newTenantToken } from '../support/tenant.ts';
import { waitUntil } from '../support/wait-until.ts';
import { metadataClient } from '../support/metadata-client.ts';

const hostile = `<img src=x onerror="document.title='hacked'"> & 'quoted' \\ %00`;

describe('agents in the explorer', () => {
  const browser = useBrowser();
  let own: MetadataTenant;

  before(async () => {
    own = await metadataTenant(55);
    const { organisationId } = own.tenant;
    await addAgent(own.database, organisationId, { agentId: hostile, unitId: 900 });
    await addPackages(own.database, organisationId, { [hostile]: [hostile] });
  });

  it('are listed in pages, found by a search, and opened by their link', async () => {
    const { page, errors } = await open('tab=agents');
    const rows = page.locator('.agent-table tbody tr');
    await page.getByText('50 agents so far').waitFor();
    expect(await rows.count()).to.equal(50);
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByText('56 agents', { exact: true }).waitFor();
    expect(await rows.count()).to.equal(56);
    expect(await page.getByRole('button', { name: 'Show more' }).isVisible()).to.equal(false);

    await page.getByLabel('Find an agent').fill('00-00-00-00-00-42');
    await page.getByText('1 agent', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'box-42' }).click();
    await page.getByRole('heading', { name: 'box-42' }).waitFor();
    expect(await page.getByText('whitebox · unit 42 · 00:00:00:00:00:42').count()).to.equal(1);
    await page.getByRole('link', { name: 'All agents' }).click();
    await page.getByText('50 agents so far').waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'box-42' }).waitFor();
    await page.goBack();
    await page.getByLabel('Find an agent').fill('nowhere');
    await page.getByText('No agent matches.').waitFor();
    expect(errors).to.deep.equal([]);
  });

  it('a change is shown as a diff before it is saved, and nothing is saved by going back', async () => {
    const { page, errors } = await open('tab=agents&agent=1');
    await own.client.put({
      agent: { unit_id: 1 },
      metadata: { package: 'Northwave:Fibre 100', custom: { floor: 7 } },
      backdate_from: daysAgo(20),
    });
    await page.reload();
    await page.getByLabel('Package').fill('Northwave:Fibre 500');
    await page.getByLabel('Since (UTC)').fill(dayOf(daysAgo(4)));
    await page.getByRole('button', { name: 'Review change' }).click();
    const review = page.getByRole('region', { name: 'Review' });
    await review.waitFor();
    expect(await review.locator('dt').allInnerTexts()).to.deep.equal(['Package']);
    expect(await review.locator('del').allInnerTexts()).to.deep.equal(['Northwave:Fibre 100']);
    expect(await review.locator('ins').allInnerTexts()).to.deep.equal(['Northwave:Fibre 500']);
    expect(await review.locator('h4').innerText()).to.match(/ – today$/);
    // What is saved is what was reviewed.
    expect(await page.getByLabel('Package').isDisabled()).to.equal(true);
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    await review.getByRole('button', { name: 'Back' }).click();
    expect(await review.count()).to.equal(0);
    expect(await packageOf(1)).to.equal('Northwave:Fibre 100');

    // A value that the agent has already.
    await page.getByLabel('Package').fill('Northwave:Fibre 100');
    await page.getByRole('button', { name: 'Review change' }).click();
    await page.getByText('Nothing would change').waitFor();
    expect(errors).to.deep.equal([]);
  });

  it('the last change is undone by a new change, also one that replaced a later change', async () => {
    const put = (name: string, days: number) =>
      own.client.put({
        agent: { unit_id: 2 },
        metadata: { package: name },
        backdate_from: Math.floor(daysAgo(days) / 86_400) * 86_400,
      });
    await put('Northwave:Fibre 100', 20);
    await put('Northwave:Fibre 500', 10);
    const before = await periodsOf(2);
    await put('Breeze:Mobile', 15);
    expect(await periodsOf(2)).to.have.length(2);

    const { page, errors } = await open('tab=agents&agent=2');
    const newest = page.locator('.changes > li').first();
    await newest.waitFor();
    expect(await newest.locator('del').allInnerTexts()).to.deep.equal([
      'Northwave',
      'Northwave:Fibre 500',
      'Northwave',
      'Northwave:Fibre 100',
    ]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    const sent: string[] = [];
    page.on('request', (one) => one.method() === 'PUT' && sent.push(one.url()));
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.locator('.outcome', { hasText: 'The change was undone' }).waitFor();
    // Two periods come back with one request, which is done as a whole or not at all.
    expect(sent).to.have.length(1);
    expect(await periodsOf(2)).to.deep.equal(before);
    // Nothing was deleted: the undone change is still listed.
    const changes = await page.locator('.changes > li').allInnerTexts();
    expect(changes).to.have.length(5);
    expect(changes.join('\n')).to.contain('Breeze:Mobile');
    expect(errors).to.deep.equal([]);
  });

  it('shows who recorded a value and when; the older half of a split period keeps its author', async () => {
    const { database, metadataUrl } = await localStack();
    for (const [label, days, name] of [
      [hostile, 20, 'Northwave:Fibre 100'],
      ['billing', 5, 'Northwave:Fibre 500'],
    ] as const) {
      const { organisationId } = own.tenant;
      const token = await newTenantToken(database, organisationId, 'metadata', { label });
      await metadataClient(metadataUrl, token).put({
        agent: { unit_id: 3 },
        metadata: { package: name },
        backdate_from: daysAgo(days),
      });
    }
    const { page } = await open('tab=agents&agent=3');
    await page.locator('.timeline > li').nth(1).waitFor();
    const [newer, older] = await page.locator('.timeline > li').allInnerTexts();
    expect(newer).to.contain('by the token “billing”');
    expect(older).to.contain(`by the token “${hostile}”`);
    const changes = await page.locator('.changes h3').allInnerTexts();
    expect(changes[0]).to.contain('billing');
    expect(changes[1]).to.contain(hostile);
  });

  it('shows hostile ids, names and values as text', async () => {
    const { page, errors } = await open('tab=agents');
    await page.getByLabel('Find an agent').fill('<img');
    await page.getByRole('link', { name: hostile }).click();
    await page.getByRole('heading', { name: hostile }).waitFor();
    await page.getByLabel('Package').fill(`${hostile}:${hostile}`);
    await page.getByLabel('Key of custom field 1').fill('<b>key</b>');
    await page.getByLabel('Value of custom field 1').fill(hostile);
    await page.getByRole('button', { name: 'Review change' }).click();
    const review = page.getByRole('region', { name: 'Review' });
    await review.waitFor();
    expect(await review.locator('ins').allInnerTexts()).to.include.members([
      hostile,
      `${hostile}:${hostile}`,
    ]);
    expect(await review.locator('dt').allInnerTexts()).to.include('<b>key</b>');
    await review.getByRole('button', { name: 'Save', exact: true }).click();
    await page.locator('.outcome', { hasText: 'Metadata updated successfully' }).waitFor();
    expect(await page.locator('main img, main b').count()).to.equal(0);
    expect(await page.title()).not.to.equal('hacked');
    expect(errors).to.deep.equal([]);
  });

  it('“See this household’s results” opens the chart of this agent alone', async () => {
    const { clickhouse } = await localStack();
    const { tenant, agentKeys } = own;
    const yesterday = new Date((daysAgo(1) - 3_600) * 1000).toISOString().slice(0, 19);
    await addDownloads(
      clickhouse,
      tenant.organisationId,
      [
        { agentId: 'box-5', unitId: 5, mbps: 50 },
        { agentId: 'box-6', unitId: 6, mbps: 90 },
      ].map((one) => ({
        ...one,
        agentKey: agentKeys[one.unitId - 1]!,
        macAddress: `00:00:00:00:00:0${one.unitId}`,
        dtime: yesterday.replace('T', ' '),
        target: 'n1.example.net',
      })),
    );
    const { page, errors } = await open('tab=agents&agent=5');
    await page.getByRole('link', { name: 'See this household’s results' }).click();
    await waitUntil(async () => (await page.locator('.chart').count()) > 0);
    const drawn = await drawnOn(page);
    const values = drawn.series.flatMap(({ values: all }) => all.filter((one) => one !== null));
    expect(values).to.include(50).and.not.to.include(90);
    expect(decodeURIComponent(page.url())).to.contain('["agent","include","box-5"]');
    expect(errors).to.deep.equal([]);
  });

  it('fits a phone without scrolling sideways', async () => {
    const { page } = await open('tab=agents&agent=2', { width: 390, height: 844 });
    await page.locator('.changes > li').first().waitFor();
    expect(await overflow(page)).to.equal(0);
    await page.goto(page.url().replace('agent=2', 'agent='));
    await page.locator('.agent-table').waitFor();
    expect(await overflow(page)).to.equal(0);
  });

  function open(fragment: string, viewport?: { width: number; height: number }) {
    const { metadataToken, dataToken } = own.tenant;
    return openExplorer(browser, {
      metadataToken,
      dataToken,
      fragment,
      ...(viewport === undefined ? {} : { context: { viewport } }),
    });
  }

  async function packageOf(unit: number): Promise<unknown> {
    const { body } = await own.client.get(`/metadata/unit/${unit}`);
    return (body.data as { package: string }).package;
  }

  async function periodsOf(unit: number) {
    const { body } = await own.client.get(`/metadata/unit/${unit}/history`);
    const periods = body.data as { from: string; to: string; package: string }[];
    // Adjacent periods with the same values have different authors.
    return periods.reduceRight<{ from: string; to: string; name: string }[]>(
      (merged, { from, to, package: name }) => {
        const last = merged.at(-1);
        if (last?.to === from && last.name === name) last.to = to;
        else merged.push({ from, to, name });
        return merged;
      },
      [],
    );
  }
});

/** Pixels by which the page is wider than the window. */
function overflow(page: Page): Promise<number> {
  return page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
}

/** Midnight of the day, as the value of a date field. */
function dayOf(unixSeconds: number): string {
  return `${new Date(unixSeconds * 1000).toISOString().slice(0, 10)}T00:00`;
}
