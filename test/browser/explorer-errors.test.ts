import { expect } from 'chai';
import type { Page, Route } from 'playwright-core';
import { useBrowser } from '../support/browser.ts';
import { addFloorPanel, testedDay } from '../support/floor-panel.ts';
import { accessibilityProblems, openExplorer } from '../support/explorer.ts';
import { localStack } from '../support/local-stack.ts';
import { daysAgo, metadataTenant } from '../support/metadata-tenant.ts';
import { link } from '../support/sample-week.ts';
import { newTenant, newTenantToken, type Tenant } from '../support/tenant.ts';

describe('the explorer says what to do', () => {
  const browser = useBrowser();
  let dataToken: string;
  let host: string;

  before(async () => {
    const { env, queryUrl } = await localStack();
    dataToken = env.DEMO_DATA_TOKEN ?? '';
    host = new URL(queryUrl).host;
  });

  it('if there are too many requests: when to try again', async () => {
    const page = await openWith({
      status: 429,
      headers: { 'Retry-After': '12' },
      contentType: 'application/json',
      body: JSON.stringify({ code: 'RATE_LIMITED', message: 'Too many requests.' }),
    });
    expect(await failureOn(page)).to.equal('Too many requests. Try again in 12 seconds.');
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    await page.unroute('**/metric_data');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.chart').waitFor();
  });

  it('if a response is not JSON: which service sent it, and its request id', async () => {
    const html = { status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' };
    const named = await openWith({ ...html, headers: { 'X-Request-Id': 'abc-123' } });
    expect(await failureOn(named)).to.equal(
      `The data interface at ${host} answered with status 502 and no message. Try again, or ask its operator. Request id: abc-123.`,
    );
    const unnamed = await openWith(html);
    expect(await failureOn(unnamed)).to.contain('The response has no request id.');
  });

  it('if a service cannot be reached: which one', async () => {
    const { tenant } = await metadataTenant();
    const { metadataUrl } = await localStack();
    const { page } = await openExplorer(browser, {
      metadataToken: tenant.metadataToken,
      fragment: 'tab=agents',
    });
    await page.locator('.agent-table a').first().waitFor();
    await page.route(`${metadataUrl}/**`, (route) => route.abort());
    await page.getByLabel('Find an agent').fill('box');
    expect(await failureOn(page)).to.equal(
      `The metadata interface at ${new URL(metadataUrl).host} could not be reached. Check the connection and try again.`,
    );
  });

  it('if a newer version of the page made the link', async () => {
    const { page } = await openExplorer(browser, {
      dataToken,
      fragment: `${link({ metric: 'httpget' })}&v=99`,
    });
    await page.getByText('A newer version of the explorer made this link.').waitFor();
    await page.locator('.chart').waitFor();
  });

  async function openWith(response: Parameters<Route['fulfill']>[0]): Promise<Page> {
    const { page } = await openExplorer(browser, { dataToken });
    await page.locator('.chart').waitFor();
    await page.route('**/metric_data', (route) => route.fulfill(response));
    await page.getByRole('button', { name: 'Last 7 days' }).click();
    return page;
  }
});

describe('the explorer with a token that has a privacy floor', () => {
  const browser = useBrowser();
  let tenant: Tenant;
  let dataToken: string;

  before(async () => {
    const stack = await localStack();
    tenant = await newTenant(stack.database);
    dataToken = await newTenantToken(stack.database, tenant.organisationId, 'data', {
      min_agents: 5,
    });
    await addFloorPanel(stack, tenant);
  });

  it('says that too few households are in every point, and what shows more', async () => {
    const range = { from: testedDay, to: testedDay };
    const filter = JSON.stringify(['area', 'include', 'west']);
    const { page, errors } = await openExplorer(browser, {
      dataToken,
      fragment: link({ metric: 'httpget', filter }, range),
    });
    await page.getByRole('heading', { name: 'Too few households' }).waitFor();
    const text = await page.locator('.results').innerText();
    expect(text).to.contain('the only point is hidden').and.to.contain('fewer splits and filters');
    expect(await page.locator('.chart').count()).to.equal(0);
    expect(await accessibilityProblems(page)).to.deep.equal([]);

    await page.getByRole('button', { name: 'Remove the filter on area' }).click();
    await page.locator('.chart').waitFor();
    expect(errors).to.deep.equal([]);
  });
});

describe('the form that changes an agent', () => {
  const browser = useBrowser();

  it('completes packages with those of other agents, and time zones', async () => {
    const { tenant, client } = await metadataTenant();
    for (const [unit, name] of [
      [1, 'Northwave:Fibre 500'],
      [2, 'Breeze:Mobile'],
    ] as const) {
      await client.put({
        agent: { unit_id: unit },
        metadata: { package: name },
        backdate_from: daysAgo(3),
      });
    }
    const { page, errors } = await openExplorer(browser, {
      metadataToken: tenant.metadataToken,
      fragment: 'tab=agents&agent=3',
    });
    const choices = (label: string) =>
      page
        .getByLabel(label, { exact: true })
        .evaluate((input: unknown) =>
          [...(input as { list: { options: Iterable<{ value: string }> } }).list.options].map(
            ({ value }) => value,
          ),
        );
    const field = page.getByLabel('Package', { exact: true });
    await field.click();
    await page.locator('datalist option[value="Breeze:Mobile"]').waitFor({ state: 'attached' });
    expect(await choices('Package')).to.deep.equal(['Breeze:Mobile', 'Northwave:Fibre 500']);
    await field.fill('fibre');
    await page.locator('datalist option[value="Breeze:Mobile"]').waitFor({ state: 'detached' });
    expect(await choices('Package')).to.deep.equal(['Northwave:Fibre 500']);
    expect(await choices('Time zone')).to.include('Europe/London');
    expect(errors).to.deep.equal([]);
  });
});

async function failureOn(page: Page): Promise<string> {
  const failure = page.locator('.notice-error p');
  await failure.waitFor();
  return failure.innerText();
}
