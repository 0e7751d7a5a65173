import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { parseAgentRecords } from '../../services/load/agents/parse-agent-records.ts';
import { importAgents } from '../../services/metadata/history/import-agents.ts';
import { customLimitSettings } from '../../services/registry/organisations/custom-limits.ts';
import { readSettings } from '../../services/shared/config/read-settings.ts';
import { useBrowser } from '../support/browser.ts';
import { changeMetadata } from '../support/change-metadata.ts';
import { DataApi } from '../support/data-api.ts';
import { addDownloads } from '../support/downloads.ts';
import { fileData } from '../support/exported-file.ts';
import { type Explorer, openExplorer } from '../support/explorer.ts';
import { localStack } from '../support/local-stack.ts';
import { daysAgo } from '../support/metadata-tenant.ts';
import { plainRequest } from '../support/plain-request.ts';
import { addAgent, addPackages, newTenant, type Tenant } from '../support/tenant.ts';
import { waitUntilPublished } from '../support/wait-until-published.ts';

const image = '<img src=x onerror="window.hacked = 1">';
const script = '</td></script><script>window.hacked = 1</script>';
const svg = '<svg onload="window.hacked = 1">';
const link = 'javascript:window.hacked=1';
const attribute = '" autofocus onfocus="window.hacked = 1" x="';
const testedDay = new Date(daysAgo(3) * 1000).toISOString().slice(0, 10);
const range = { from: testedDay, to: testedDay };

const stack = await localStack();

describe('scripts in the data of an organisation', () => {
  const browser = useBrowser();
  let tenant: Tenant;

  before(async () => {
    const { database, clickhouse } = stack;
    tenant = await newTenant(database);
    const { organisationId } = tenant;
    await addPackages(database, organisationId, { [image]: [script] });
    const agentKey = await addAgent(database, organisationId, { agentId: svg, unitId: 1 });
    await importAgents(database, {
      organisationId,
      records: parseAgentRecords('unit_id,timezone\n1,UTC\n', 'unchanged'),
      validFromUtc: new Date(daysAgo(20) * 1000),
      source: `${image}.csv`,
      limits: readSettings(customLimitSettings, {}),
    });
    await changeMetadata(database, tenant, {
      agent: { unit_id: 1 },
      metadata: { package: `${image}:${script}`, custom: { tier: attribute, site: link } },
      backdate_from: daysAgo(10),
    });
    const rows = [8, 9, 10].map((hour) => ({
      agentKey,
      agentId: svg,
      unitId: 1,
      mbps: hour,
      dtime: `${testedDay} ${String(hour).padStart(2, '0')}:00:00`,
    }));
    await addDownloads(clickhouse, organisationId, rows);
    await waitUntilPublished(database, organisationId);
  });

  for (const [split, value] of Object.entries({
    isp: image,
    package: `${image}:${script}`,
    tier: attribute,
    site: link,
    agent: svg,
  })) {
    it(`do not run as the ${split} of a chart, a table and a filter`, async () => {
      const fragment = new URLSearchParams({ metric: 'httpget', split, ...range });
      fragment.append('filter', JSON.stringify([split, 'include', value]));
      const opened = await openData(fragment.toString());
      const { page } = opened;
      await page.locator('.chart').waitFor();
      expect(await page.locator('.legend-name').allTextContents()).to.deep.equal([value]);
      expect(await page.locator('tbody').textContent()).to.contain(value);
      expect(await page.title()).not.to.equal('');
      await expectNoScript(opened);
    });
  }

  it('do not run in the history of an agent', async () => {
    const opened = await openExplorer(browser, {
      metadataToken: tenant.metadataToken,
      fragment: 'tab=agents&agent=1',
    });
    const { page } = opened;
    await page.locator('.timeline > li').nth(1).waitFor();
    const text = (await page.locator('main').textContent()) ?? '';
    for (const value of [`${image}:${script}`, attribute, link, `“${image}.csv”`]) {
      expect(text).to.contain(value);
    }
    await expectNoScript(opened);
  });

  it('do not run from a link, in any of its fields', async () => {
    const names = ['metric', 'view', 'aggregation', 'split', 'from', 'saved', 'agent', 'tab'];
    const filters = [image, link].map((value) => ['filter', JSON.stringify([value, value, value])]);
    const fields = names.flatMap((name) => [image, link].map((value) => [name, value]));
    for (const [name, value] of [...fields, ...filters] as [string, string][]) {
      const others = name === 'metric' ? {} : { metric: 'httpget', ...range };
      const fragment = new URLSearchParams({ ...others, [name]: value }).toString();
      const opened = await openData(fragment);
      await opened.page.locator('form, .chart, .notice').first().waitFor();
      await expectNoScript(opened);
    }
  });

  it('could not run: the pages allow no inline script, and files are not shown as pages', async () => {
    for (const path of ['/explorer', '/docs']) {
      const { headers } = await fetch(`${stack.queryUrl}${path}`);
      const policy = headers.get('content-security-policy') ?? '';
      const rules = new Map(policy.split('; ').map((rule) => splitAt(rule, rule.indexOf(' '))));
      expect(rules.get('default-src'), path).to.equal("'none'");
      expect(rules.get('script-src'), path).to.equal("'self'");
      expect(rules.get('base-uri'), path).to.equal("'none'");
      expect(rules.get('frame-ancestors'), path).to.equal("'none'");
      expect(headers.get('x-content-type-options'), path).to.equal('nosniff');
    }
    const api = new DataApi(stack.queryUrl, tenant.dataToken);
    const request = {
      ...plainRequest,
      aggregation: 'total',
      splits: ['isp'],
      time: range,
    };
    const { url } = fileData(await api.post('/metric_data.csv', request));
    const file = await fetch(url);
    expect(file.headers.get('content-type')).to.match(/^text\/csv/);
    expect(file.headers.get('content-disposition')).to.match(/^attachment; filename="[-\w.]+"$/);
    expect(file.headers.get('x-content-type-options')).to.equal('nosniff');
    expect(await file.text()).to.contain(image.replaceAll('"', '""'));
    const missing = await fetch(`${stack.queryUrl}/${encodeURIComponent(image)}`);
    expect(missing.headers.get('content-type')).to.match(/^application\/json/);
  });

  function openData(fragment: string): Promise<Explorer> {
    return openExplorer(browser, { dataToken: tenant.dataToken, fragment });
  }
});

/** Nothing ran, and nothing that could run is part of the page. A refused inline script would be among the errors. */
async function expectNoScript({ page, errors }: Explorer): Promise<void> {
  expect(await page.evaluate('window.hacked')).to.equal(undefined);
  expect(await madeByData(page)).to.deep.equal([]);
  expect(errors).to.deep.equal([]);
}

function madeByData(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(
    `[...document.querySelectorAll('*')].filter((one) =>
      one.matches('body script, img[src="x"], a[href^="javascript:" i]') ||
      [...one.attributes].some(({ name }) => name.startsWith('on'))).map((one) => one.outerHTML)`,
  );
}

function splitAt(text: string, at: number): readonly [string, string] {
  return [text.slice(0, at), text.slice(at + 1)];
}
