import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { after, afterEach, before, beforeEach } from 'mocha';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';

export interface BrowserPages {
  /** A page in a new browser profile, as a first-time visitor has it. */
  open(options?: Parameters<Browser['newContext']>[0]): Promise<Page>;
}

/**
 * The machine's Chromium for the tests of one `describe`. Without Chromium the tests are skipped and
 * `test/run.ts` prints how to install it: the product does not need a browser.
 */
export function useBrowser(): BrowserPages {
  let browser: Browser | undefined;
  const contexts: BrowserContext[] = [];
  let openBefore = 0;

  before(async function () {
    const path = chromiumPath();
    if (path === undefined) this.skip();
    browser = await chromium.launch({ executablePath: path, args: quietArguments });
  });
  // Pages of tests that have ended would still draw and send requests.
  beforeEach(() => (openBefore = contexts.length));
  afterEach(() => Promise.all(contexts.splice(openBefore).map((context) => context.close())));
  after(() => browser?.close());

  return {
    open: async (options) => {
      if (browser === undefined) throw new Error('Open pages only inside tests');
      const context = await browser.newContext({ locale: 'en-GB', ...options });
      contexts.push(context);
      return context.newPage();
    },
  };
}

/**
 * `CHROMIUM_PATH`, or a Chromium on the `PATH`. The headless shell is preferred: the complete browser also draws its own
 * windows, which doubles the CPU time of the tests.
 */
export function chromiumPath(): string | undefined {
  const given = process.env.CHROMIUM_PATH;
  if (given !== undefined && given !== '') return given;
  const folders = (process.env.PATH ?? '').split(delimiter);
  return chromiumNames
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find(isExecutable);
}

const chromiumNames = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

// Chromium has no sandbox for root. The other flags disable background network requests.
const quietArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
