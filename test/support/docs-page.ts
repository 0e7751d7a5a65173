import type { Locator, Page } from 'playwright-core';
import type { BrowserPages } from './browser.ts';

/** Swagger UI at /docs of a service. */
export interface DocsPage {
  readonly page: Page;
  /** The URL of every request. */
  readonly requested: string[];
  /** Console errors, which include violations of the content security policy. */
  readonly errors: string[];
}

interface OpenOptions {
  /** Every operation is open from the start, painted at once. Each click would paint the whole page again. */
  readonly isExpanded?: boolean;
}

export async function openDocs(
  browser: BrowserPages,
  url: string,
  { isExpanded = false }: OpenOptions = {},
): Promise<DocsPage> {
  const page = await browser.open();
  if (isExpanded) await expandOperations(page);
  // Swagger UI needs long for its first paint on a busy machine.
  page.setDefaultTimeout(120_000);
  const requested: string[] = [];
  const errors: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  await page.goto(`${url}/docs`);
  await page.locator('.opblock').first().waitFor();
  return { page, requested, errors };
}

async function expandOperations(page: Page): Promise<void> {
  await page.route('**/docs/page.js', async (route) => {
    const response = await route.fetch();
    const script = await response.text();
    const expanded = script.replace("docExpansion: 'list'", "docExpansion: 'full'");
    if (expanded === script) throw new Error('openapi/docs/page.js has no docExpansion to replace');
    await route.fulfill({ response, body: expanded });
  });
}

export async function authorize(page: Page, token: string): Promise<void> {
  await page.getByRole('button', { name: 'Authorize' }).click();
  const dialog = page.locator('.dialog-ux');
  await dialog.getByRole('textbox').fill(token);
  await dialog.getByRole('button', { name: 'Apply credentials' }).click();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
}

/** Opens an operation, fills in its parameters, sends it, and waits for the response. */
export async function tryOut(
  page: Page,
  operationId: string,
  fillIn: (operation: Locator) => Promise<void> = () => Promise.resolve(),
): Promise<Locator> {
  const operation = page.locator(`.opblock[id$="-${operationId}"]`);
  await operation.locator('.opblock-summary-control').click();
  await operation.getByRole('button', { name: 'Try it out' }).click();
  await fillIn(operation);
  await operation.getByRole('button', { name: 'Execute' }).click();
  const response = operation.locator('.live-responses-table .response');
  await response.waitFor();
  return response;
}

export async function statusOf(response: Locator): Promise<string> {
  const text = await response.locator('.response-col_status').innerText();
  return text.trim().slice(0, 3);
}

export function bodyOf(response: Locator): Promise<string> {
  return response.locator('.response-col_description .highlight-code code').first().innerText();
}
