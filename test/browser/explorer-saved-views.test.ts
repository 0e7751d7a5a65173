import { expect } from 'chai';
import { useBrowser } from '../support/browser.ts';
import { accessibilityProblems, messageAt, openExplorer } from '../support/explorer.ts';
import { localStack, type LocalStack } from '../support/local-stack.ts';
import { newTenant, newTenantToken, type Tenant } from '../support/tenant.ts';
import { waitUntil } from '../support/wait-until.ts';

const hostile = `<img src=x onerror="document.title='hacked'"> & 'view' \\ "2"`;
const fragment = 'metric=pingAvg&aggregation=weekly&split=isp&agent=box-7';

describe('saved views in the explorer', () => {
  const browser = useBrowser();
  let stack: LocalStack;
  let tenant: Tenant;

  before(async () => {
    stack = await localStack();
    tenant = await newTenant(stack.database);
  });

  it('a view is saved under a name, and a colleague opens it by its link', async () => {
    const { page, errors } = await open(fragment);
    await page.getByText('Saved views').click();
    await page.getByText('No view is saved yet.').waitFor();
    await page.getByLabel('Name of this view').fill(hostile);
    await page.getByRole('button', { name: 'Save view' }).click();
    await page.getByRole('link', { name: hostile }).waitFor();
    expect(await page.getByLabel('Name of this view').inputValue()).to.equal('');
    expect(await page.locator('main img').count()).to.equal(0);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy link' }).click();
    const link = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(link).to.match(/\/explorer#saved=[-0-9a-f]{36}$/);
    // The agent of the other tab is not part of the view.
    const saved = await stack
      .database('saved_views')
      .where({ organisation_id: tenant.organisationId })
      .first<{ state: string }>('state');
    expect(saved.state).to.equal('metric=pingAvg&aggregation=weekly&split=isp&v=1');
    expect(errors).to.deep.equal([]);

    const dataToken = await newTenantToken(stack.database, tenant.organisationId, 'data');
    const colleague = await openExplorer(browser, { dataToken, fragment: link.split('#')[1]! });
    await colleague.page.waitForURL((url) => url.hash.includes('metric=pingAvg'));
    expect(colleague.page.url()).to.match(/#metric=pingAvg&aggregation=weekly&split=isp&v=1$/);
    const metric = colleague.page.getByRole('combobox', { name: 'Metric' });
    await waitUntil(async () => (await metric.inputValue()) !== '');
    expect(await colleague.page.title()).not.to.equal('hacked');
    expect(colleague.errors).to.deep.equal([]);
  });

  it('the menu is accessible', async () => {
    const { page } = await openExplorer(browser, {
      dataToken: stack.env.DEMO_DATA_TOKEN!,
      fragment: 'metric=httpget',
    });
    await page.locator('.chart').waitFor();
    await page.getByText('Saved views').click();
    await page.getByLabel('Name of this view').fill('Download speed');
    await page.getByRole('button', { name: 'Save view' }).click();
    await page.getByRole('link', { name: 'Download speed' }).waitFor();
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    await page.getByRole('button', { name: 'Rename Download speed' }).click();
    await page.getByLabel('New name of Download speed').waitFor();
    expect(await accessibilityProblems(page)).to.deep.equal([]);
  });

  it('a view is opened from the list, and Back returns to the view before', async () => {
    await save('Daily DNS', 'metric=dnsResponse&split=isp');
    const { page } = await open('metric=pingAvg');
    await page.getByText('Saved views').click();
    await page.getByRole('link', { name: 'Daily DNS' }).click();
    await page.waitForURL((url) => url.hash.includes('metric=dnsResponse'));
    await page.goBack();
    await page.waitForURL((url) => url.hash.includes('metric=pingAvg'));
  });

  it('a name that is used is refused beside the field', async () => {
    await save('Taken', 'metric=pingAvg');
    const { page } = await open('metric=pingAvg');
    await page.getByText('Saved views').click();
    const name = page.getByLabel('Name of this view');
    await name.fill('Taken');
    await page.getByRole('button', { name: 'Save view' }).click();
    await waitUntil(async () => (await messageAt(name)).includes('Choose another name'));
    expect(await name.inputValue()).to.equal('Taken');
  });

  it('a view is renamed in the list, and its link stays the same', async () => {
    const id = await save('Old name', 'metric=dnsResponse');
    await save('Used', 'metric=dnsResponse');
    const { page, errors } = await open('metric=pingAvg');
    await page.getByText('Saved views').click();
    await page.getByRole('button', { name: 'Rename Old name' }).click();
    const name = page.getByLabel('New name of Old name');
    expect(await name.inputValue()).to.equal('Old name');
    await name.fill('Used');
    await name.press('Enter');
    await waitUntil(async () => (await messageAt(name)).includes('Choose another name'));
    await name.press('Escape');
    await page.getByRole('link', { name: 'Old name' }).waitFor();
    await page.getByRole('button', { name: 'Rename Old name' }).click();
    await name.fill(`${hostile} renamed`);
    await page.getByRole('button', { name: 'Rename', exact: true }).click();
    const renamed = page.getByRole('link', { name: `${hostile} renamed` });
    await renamed.waitFor();
    expect(await renamed.getAttribute('href')).to.equal(`#saved=${id}`);
    expect(await page.getByRole('link', { name: 'Old name' }).count()).to.equal(0);
    expect(await page.title()).not.to.equal('hacked');
    expect(errors).to.deep.equal([]);
  });

  it('the second click on Delete deletes a view, and its link says so', async () => {
    const id = await save('Short-lived', 'metric=dnsResponse');
    const { page } = await open('metric=pingAvg');
    await page.getByText('Saved views').click();
    await page.getByRole('button', { name: 'Delete Short-lived' }).click();
    expect(await page.getByRole('link', { name: 'Short-lived' }).count()).to.equal(1);
    await page.getByRole('button', { name: 'Really delete Short-lived?' }).click();
    await page.getByRole('link', { name: 'Short-lived' }).waitFor({ state: 'detached' });

    const { page: late } = await open(`saved=${id}&metric=pingAvg&view=ranking`);
    await late.getByText('The saved view of this link was deleted').waitFor();
    await late.waitForURL((url) => url.hash === '#view=ranking&metric=pingAvg&v=1');
  });

  it('the message of a broken link is above the page and moves nothing sideways', async () => {
    const deleted = '0f5a0f9c-6c0b-4a55-9d1a-5b1f0b7a3c11';
    for (const width of [1280, 600]) {
      const context = { viewport: { width, height: 900 } };
      const boxesOf = async (fragment: string) => {
        const { page } = await openExplorer(browser, {
          dataToken: tenant.dataToken,
          fragment,
          context,
        });
        await page.locator('.results .notice').waitFor();
        const message = page.getByText('The saved view of this link was deleted');
        if (fragment.includes('saved')) await message.waitFor();
        const boxes = ['.link-error', 'aside.query', '.results'].map((one) =>
          page.locator(one).boundingBox(),
        );
        return Promise.all(boxes);
      };
      const [, formAlone, resultsAlone] = await boxesOf('metric=pingAvg&view=ranking');
      const [message, form, results] = await boxesOf(
        `saved=${deleted}&metric=pingAvg&view=ranking`,
      );
      const across = (box: typeof form) => box && { x: box.x, width: box.width };
      expect(across(form)).to.deep.equal(across(formAlone));
      expect(across(results)).to.deep.equal(across(resultsAlone));
      expect(results!.y - form!.y).to.equal(resultsAlone!.y - formAlone!.y);
      // One line, or two on a phone, over the whole width.
      expect(message!.x).to.equal(form!.x);
      expect(message!.width).to.be.within(width - 100, width);
      expect(message!.height).to.be.within(10, 60);
      expect(message!.y + message!.height).to.be.at.most(form!.y);
    }
  });

  it('a link may have a saved view and a kind of view', async () => {
    const id = await save('Peak of DNS', 'view=peak&metric=dnsResponse&split=isp&last=7');
    const both = await open(`saved=${id}&view=ranking`);
    await both.page.waitForURL(/#view=ranking&metric=dnsResponse&last=7&split=isp&v=1$/);
    await both.page.reload();
    const view = both.page.getByLabel('View', { exact: true });
    await waitUntil(async () => (await view.inputValue()) === 'ranking');
    expect(await both.page.getByRole('alert').allInnerTexts()).to.satisfy((all: string[]) =>
      all.every((text) => text === ''),
    );
    expect(both.errors).to.deep.equal([]);
  });

  it('a link waits for the token of its reader, and shows nothing to another organisation', async () => {
    const id = await save('For members', 'metric=dnsResponse&split=isp');
    const visitor = await openExplorer(browser, { fragment: `saved=${id}` });
    const enter = async (token: string) => {
      await visitor.page.getByLabel('Data token').fill(token);
      await visitor.page.getByRole('button', { name: 'Continue' }).click();
    };
    await enter('npd_mistyped');
    await visitor.page.getByText('Access denied').waitFor();
    await enter(tenant.dataToken);
    await visitor.page.waitForURL((url) => url.hash.includes('metric=dnsResponse'));

    const { dataToken } = await newTenant(stack.database);
    const stranger = await openExplorer(browser, { dataToken, fragment: `saved=${id}` });
    await stranger.page.getByText('or belongs to another organisation').waitFor();
    expect(stranger.page.url()).not.to.contain('dns');
  });

  function open(view: string) {
    return openExplorer(browser, { dataToken: tenant.dataToken, fragment: view });
  }

  async function save(name: string, state: string): Promise<string> {
    const { organisationId: organisation_id } = tenant;
    const token = await stack
      .database('api_tokens')
      .where({ organisation_id })
      .first<{ id: number }>('id');
    const [view] = await stack
      .database('saved_views')
      .insert({ organisation_id, token_id: token.id, name, state })
      .returning<{ id: string }[]>('id');
    return view!.id;
  }
});
