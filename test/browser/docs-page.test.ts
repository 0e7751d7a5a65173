import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { parse } from 'yaml';
import { repositoryRoot } from '../../services/shared/repository-root.ts';
import { useBrowser } from '../support/browser.ts';
import {
  authorize,
  bodyOf,
  type DocsPage,
  openDocs,
  statusOf,
  tryOut,
} from '../support/docs-page.ts';
import { localStack } from '../support/local-stack.ts';

const stack = await localStack();

describe('the page /docs', () => {
  const browser = useBrowser();

  for (const [service, title] of [
    ['query', 'netpanel data interface'],
    ['metadata', 'netpanel metadata interface'],
  ] as const) {
    describe(`of the ${service} service`, () => {
      let docs: DocsPage;

      before(async () => {
        const url = service === 'query' ? stack.queryUrl : stack.metadataUrl;
        docs = await openDocs(browser, url, { isExpanded: true });
      });

      it('lists every operation of the OpenAPI document', async () => {
        const { page } = docs;
        expect(await page.title()).to.equal(title);
        const listed = await page.locator('.opblock').all();
        const operations = await Promise.all(listed.map(operationOf));
        expect(operations).to.have.members(operationsIn(`${service}.yaml`));
      });

      it('opens each operation without an error or a violation of its content security policy', async () => {
        const { page, errors } = docs;
        const count = operationsIn(`${service}.yaml`).length;
        const responses = page.locator('.opblock-body .responses-table');
        await responses.nth(count - 1).waitFor();
        expect(await responses.count()).to.equal(count);
        expect(errors).to.deep.equal([]);
      });

      it('sends no request to another host', () => {
        const origins = docs.requested
          .filter((address) => !address.startsWith('data:'))
          .map((address) => new URL(address).origin);
        expect(origins).to.include(new URL(docs.page.url()).origin);
        expect(new Set(origins).size).to.equal(1);
      });
    });
  }

  it('sends a request to the data interface with the entered token and shows the response', async () => {
    const { page, errors } = await openDocs(browser, stack.queryUrl);
    await authorize(page, stack.env.DEMO_DATA_TOKEN ?? '');
    const response = await tryOut(page, 'getMetrics', (operation) =>
      operation.locator('tr[data-param-name="search"] input').fill('download'),
    );
    expect(await statusOf(response)).to.equal('200');
    const shown = await bodyOf(response);
    expect(shown).to.contain('"code": "OK"').and.to.contain('"key": "httpget"');
    expect(shown).to.contain('"unit": "mbps"');
    expect(errors).to.deep.equal([]);
  });

  it('sends a request to the metadata interface with the entered token and shows the response', async () => {
    const { page, errors } = await openDocs(browser, stack.metadataUrl);
    await authorize(page, stack.env.DEMO_METADATA_TOKEN ?? '');
    const response = await tryOut(page, 'getMetadata', async (operation) => {
      await operation.locator('tr[data-param-name="field"] select').last().selectOption('unit');
      await operation.locator('tr[data-param-name="value"] input').fill('100003');
    });
    expect(await statusOf(response)).to.equal('200');
    const { data } = JSON.parse(await bodyOf(response)) as { data: Record<string, unknown> };
    expect(data).to.have.all.keys('package', 'isp', 'timezone', 'custom');
    expect(String(data.package).split(':')[0]).to.equal(data.isp);
    expect(errors).to.deep.equal([]);
  });

  it('shows the error for a wrong token', async () => {
    for (const [url, operation] of [
      [stack.queryUrl, 'getMetrics'],
      [stack.metadataUrl, 'putMetadata'],
    ] as const) {
      const { page } = await openDocs(browser, url);
      await authorize(page, 'not-a-token');
      const response = await tryOut(page, operation);
      expect(await statusOf(response)).to.equal('403');
      expect(await bodyOf(response)).to.contain('"message": "Access Denied"');
    }
  });

  it('keeps a token only in the page: not in URLs or storage, and not after it is closed', async () => {
    const token = stack.env.DEMO_DATA_TOKEN ?? '';
    const { page, requested } = await openDocs(browser, stack.queryUrl);
    await authorize(page, token);
    await tryOut(page, 'getMetrics');
    expect(requested.filter((address) => address.includes(token))).to.deep.equal([]);
    const kept = await page.context().storageState({ indexedDB: true });
    expect(kept).to.deep.equal({ cookies: [], origins: [] });
    await page.goto('about:blank');
    await page.goto(`${stack.queryUrl}/docs`);
    expect(await statusOf(await tryOut(page, 'getMetrics'))).to.equal('403');
  });
});

async function operationOf(block: Locator): Promise<string> {
  const method = await block.locator('.opblock-summary-method').innerText();
  const path = await block.locator('.opblock-summary-path').getAttribute('data-path');
  return `${method.toLowerCase()} ${path ?? ''}`;
}

function operationsIn(fileName: string): string[] {
  const { paths } = parse(readFileSync(join(repositoryRoot, 'openapi', fileName), 'utf8')) as {
    paths: Record<string, Record<string, unknown>>;
  };
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations)
      .filter((method) => method !== 'parameters')
      .map((method) => `${method} ${path}`),
  );
}
