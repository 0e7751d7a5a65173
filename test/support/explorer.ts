import axe from 'axe-core';
import type { Locator, Page } from 'playwright-core';
import type { BrowserPages } from './browser.ts';
import { localStack } from './local-stack.ts';
import { waitUntil } from './wait-until.ts';

/** The explorer in a browser, with its requests and errors. */
export interface Explorer {
  readonly page: Page;
  /** The URL of every request. */
  readonly requested: readonly string[];
  /** Console errors, which include violations of the content security policy. */
  readonly errors: readonly string[];
}

interface OpenOptions {
  /** Default: the query service of the local stack. */
  readonly url?: string;
  readonly fragment?: string;
  readonly dataToken?: string;
  readonly metadataToken?: string;
  readonly context?: Parameters<BrowserPages['open']>[0];
}

/** Opens the page with a URL fragment, with tokens in the session storage. */
export async function openExplorer(
  browser: BrowserPages,
  options: OpenOptions = {},
): Promise<Explorer> {
  const { queryUrl } = await localStack();
  const { url = queryUrl, fragment = '', dataToken, metadataToken, context } = options;
  const page = await browser.open(context);
  const requested: string[] = [];
  const errors: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    // Chromium logs each 4xx response as an error; the page shows them to the user.
    const isClientError = message.text().includes('the server responded with a status of 4');
    if (message.type() === 'error' && !isClientError) errors.push(message.text());
  });
  const tokens = { 'netpanel.data-token': dataToken, 'netpanel.metadata-token': metadataToken };
  const kept = Object.entries(tokens).filter(([, token]) => token !== undefined);
  await page.addInitScript(
    `for (const [name, token] of ${JSON.stringify(kept)}) sessionStorage.setItem(name, token);`,
  );
  await page.goto(`${url}/explorer${fragment === '' ? '' : `#${fragment}`}`);
  await page.locator('main').waitFor();
  return { page, requested, errors };
}

export interface DrawnSeries {
  readonly label: string;
  readonly part: string;
  readonly values: readonly (number | null)[];
}

export interface Drawn {
  readonly kind: string;
  readonly xs: readonly number[];
  readonly series: readonly DrawnSeries[];
}

/** The numbers that the chart draws, read from its element. */
export async function drawnOn(page: Page): Promise<Drawn> {
  const chart = page.locator('.chart');
  await chart.waitFor();
  return chart.evaluate((element: unknown) => (element as { drawn(): Drawn }).drawn());
}

/** Types into a combobox and selects the first matching option. */
export async function choose(
  page: Page,
  label: string,
  typed: string,
  option: string,
): Promise<void> {
  const field = page.getByRole('combobox', { name: label, exact: true });
  await field.fill(typed);
  await page.getByRole('option', { name: option }).first().waitFor();
  await field.press('Enter');
  // The selected value replaces the typed text; a field for several values becomes empty.
  await waitUntil(async () => (await field.inputValue()) !== typed);
}

/** The message that aria-describedby connects to a field. */
export async function messageAt(field: Locator): Promise<string> {
  const ids = (await field.getAttribute('aria-describedby')) ?? '';
  const [errorId = ''] = ids.split(' ');
  return field.page().locator(`#${errorId}`).innerText();
}

/** The violations that axe reports: rule and element. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<axe.AxeResults>(
    "axe.run({ resultTypes: ['violations'] })",
  );
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
