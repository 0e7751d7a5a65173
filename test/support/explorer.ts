import axe from 'axe-core';
import type { Locator, Page } from 'playwright-core';
import type { BrowserPages } from './browser.ts';
import { localStack } from './local-stack.ts';
import { until } from './until.ts';

/** The explorer in a browser, with everything it asked for and complained about. */
export interface Explorer {
  readonly page: Page;
  /** Every address asked for. */
  readonly requested: readonly string[];
  /** Errors in the console, which is where a breach of the policy shows as well. */
  readonly errors: readonly string[];
}

interface Opening {
  readonly fragment?: string;
  readonly dataToken?: string;
  readonly metadataToken?: string;
  readonly context?: Parameters<BrowserPages['open']>[0];
}

/** Opens the page as a link does, with tokens as a tab that has been in use has them. */
export async function openExplorer(
  browser: BrowserPages,
  opening: Opening = {},
): Promise<Explorer> {
  const { queryUrl } = await localStack();
  const { fragment = '', dataToken, metadataToken, context } = opening;
  const page = await browser.open(context);
  const requested: string[] = [];
  const errors: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    // A refusal is an answer that the page shows; Chromium reports each one.
    const isRefusal = message.text().includes('the server responded with a status of 4');
    if (message.type() === 'error' && !isRefusal) errors.push(message.text());
  });
  const tokens = { 'netpanel.data-token': dataToken, 'netpanel.metadata-token': metadataToken };
  const kept = Object.entries(tokens).filter(([, token]) => token !== undefined);
  await page.addInitScript(
    `for (const [name, token] of ${JSON.stringify(kept)}) sessionStorage.setItem(name, token);`,
  );
  await page.goto(`${queryUrl}/explorer${fragment === '' ? '' : `#${fragment}`}`);
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

/** The numbers the chart is drawn from, as its element tells them. */
export async function drawnOn(page: Page): Promise<Drawn> {
  const chart = page.locator('.chart');
  await chart.waitFor();
  return chart.evaluate((element: unknown) => (element as { drawn(): Drawn }).drawn());
}

/** Types into a field with a list of choices, and takes the first that fits. */
export async function choose(
  page: Page,
  label: string,
  typed: string,
  fits: string,
): Promise<void> {
  const field = page.getByRole('combobox', { name: label, exact: true });
  await field.fill(typed);
  await page.getByRole('option', { name: fits }).first().waitFor();
  await field.press('Enter');
  // What was typed gives way to what was chosen, or to nothing where there can be more.
  await until(async () => (await field.inputValue()) !== typed, 30_000);
}

/** The message beside a field, as a screen reader connects the two. */
export async function messageAt(field: Locator): Promise<string> {
  const ids = (await field.getAttribute('aria-describedby')) ?? '';
  const [errorId = ''] = ids.split(' ');
  return field.page().locator(`#${errorId}`).innerText();
}

/** What axe finds wrong: the rule and where. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<axe.AxeResults>(
    "axe.run({ resultTypes: ['violations'] })",
  );
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
