import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useBrowser } from '../support/browser.ts';
import { changeMetadata } from '../support/change-metadata.ts';
import { DataApi } from '../support/data-api.ts';
import { dayBefore } from '../support/day-before.ts';
import { addDownloads } from '../support/downloads.ts';
import { accessibilityProblems, choose, drawnOn, openExplorer } from '../support/explorer.ts';
import { testedDay } from '../support/floor-panel.ts';
import { type LocalStack, localStack } from '../support/local-stack.ts';
import { daysAgo } from '../support/metadata-tenant.ts';
import { link, week } from '../support/sample-week.ts';
import { addAgent, newTenant, type Tenant } from '../support/tenant.ts';
import { waitUntil } from '../support/wait-until.ts';
import { waitUntilPublished } from '../support/wait-until-published.ts';

const peak = { days: ['mon', 'tue', 'wed', 'thu', 'fri'], hours: [19, 20, 21, 22] };
const plain = {
  metric: 'httpget',
  chartType: 'aggregate',
  aggregation: 'total',
  householdIntervals: true,
  normalised: false,
  prefilter: true,
};

interface Compared {
  readonly isp: string | null;
  readonly metricValue: number;
  readonly compared: { readonly metricValue: number };
  readonly difference: {
    readonly metricValue: number;
    readonly ci95: number;
    readonly pAdjusted: number;
  };
  readonly households: Readonly<Record<string, number>>;
}

describe('a comparison in the explorer', () => {
  const browser = useBrowser();
  let stack: LocalStack;
  let api: DataApi;
  let dataToken: string;

  before(async () => {
    stack = await localStack();
    dataToken = stack.env.DEMO_DATA_TOKEN ?? '';
    api = new DataApi(stack.queryUrl, dataToken);
  });

  it('draws both values and the difference with its interval, which table, copy and file have too', async () => {
    const request = {
      ...plain,
      splits: ['isp'],
      time: week,
      window: peak,
      compare: { window: { ...peak, invert: true } },
    };
    const points = await pointsOf(request);
    const page = await openAt(link({ view: 'peak', metric: 'httpget', split: 'isp' }));
    const names = points.map(({ isp }) => isp ?? 'unknown');
    const expected = (of: (point: Compared) => number): Record<string, number> =>
      Object.fromEntries(points.map((point, i) => [names[i] ?? '', of(point)] as const));
    expect(await drawn(page, 'here')).to.deep.equal(expected((point) => point.metricValue));
    expect(await drawn(page, 'there')).to.deep.equal(
      expected(({ compared }) => compared.metricValue),
    );
    expect(await drawn(page, 'difference')).to.deep.equal(
      expected(({ difference }) => difference.metricValue),
    );
    expect(await drawn(page, 'low')).to.deep.equal(
      expected(({ difference }) => difference.metricValue - difference.ci95),
    );
    const text = (await page.locator('.chart svg').textContent()) ?? '';
    expect(text).to.contain('Peak (Monday to Friday 19:00 to 23:00)').and.to.contain('Off-peak');
    expect(text).to.contain('← slower | faster →');

    const columns = {
      metricValue: (point: Compared) => point.metricValue,
      comparedMetricValue: ({ compared }: Compared) => compared.metricValue,
      differenceMetricValue: ({ difference }: Compared) => difference.metricValue,
      differenceCi95: ({ difference }: Compared) => difference.ci95,
      differencePAdjusted: ({ difference }: Compared) => difference.pAdjusted,
      householdsBoth: ({ households }: Compared) => households.both!,
    };
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy table' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const file = await readFile(await (await download).path(), 'utf8');
    for (const [rows, separator] of [
      [copied, '\t'],
      [file, ','],
    ] as const) {
      const [head = [], ...lines] = rows
        .trimEnd()
        .split('\n')
        .map((line) => line.replaceAll('"', '').split(separator));
      for (const [column, of] of Object.entries(columns)) {
        const place = head.indexOf(column);
        expect(place, column).to.be.greaterThan(0);
        const values = lines.map((cells) => Number(Number(cells[place]).toPrecision(9)));
        expect(values, column).to.deep.equal(
          points.map((point) => Number(of(point).toPrecision(9))),
        );
      }
    }
    await page.getByRole('tab', { name: 'Request' }).click();
    const [json = ''] = await page.locator('.panel pre').allInnerTexts();
    expect(JSON.parse(json)).to.deep.equal(request);
  });

  it('quotes a difference only if it is more than chance', async () => {
    const points = await pointsOf({
      ...plain,
      splits: ['isp'],
      time: week,
      window: peak,
      compare: { window: { ...peak, invert: true } },
    });
    const page = await openAt(link({ view: 'peak', metric: 'httpget', split: 'isp' }));
    const sentences = await page.locator('.findings li > p:first-child').allInnerTexts();
    expect(sentences).to.have.length(points.length);
    const shown = points.filter(({ difference }) => difference.pAdjusted < 0.05);
    expect(shown.length).to.be.greaterThan(0);
    expect(sentences.filter((text) => text.includes('slower at peak'))).to.have.length(
      shown.length,
    );
    for (const { isp, difference, households } of points) {
      const name = isp ?? 'Unknown';
      const sentence = sentences.find((text) => text.startsWith(name)) ?? '';
      const all = Object.values(households).reduce((sum, one) => sum + one, 0);
      expect(sentence).to.contain(`${all} households`);
      if (difference.pAdjusted >= 0.05) {
        expect(sentence).to.match(
          /: no difference can be shown \([−+]?[\d.]+ to [−+]?[\d.]+ Mbit\/s, /,
        );
      } else {
        const [, amount, low, high] =
          / is ([\d.,]+) Mbit\/s slower at peak \(95 % interval ([\d.,]+) to ([\d.,]+), /.exec(
            sentence,
          ) ?? [];
        const near = difference.ci95 / 10;
        expect(Number(amount)).to.be.closeTo(-difference.metricValue, near);
        expect(Number(low)).to.be.closeTo(-difference.metricValue - difference.ci95, near);
        expect(Number(high)).to.be.closeTo(-difference.metricValue + difference.ci95, near);
      }
    }
  });

  const others: Readonly<Record<string, { fill: (page: Page) => Promise<void>; compare: object }>> =
    {
      'another period': {
        fill: async (page) => {
          await page.getByLabel('Compare with').selectOption('period');
          await page.getByLabel('Other period from').fill('2026-10-11');
          await page.getByLabel('Other period to').fill('2026-10-17');
          await page.getByLabel('Other period to').press('Tab');
        },
        compare: { time: { from: '2026-10-11', to: '2026-10-17' } },
      },
      'other households': {
        fill: async (page) => {
          await page.getByLabel('Compare with').selectOption('group');
          await choose(page, 'Other households', 'isp', 'ISP');
          await choose(page, 'Values of ISP', 'harb', 'Harbour Cable');
        },
        compare: {
          filters: [{ id: 'isp', filterType: 'include', filterValues: ['Harbour Cable'] }],
        },
      },
      'other hours': {
        fill: async (page) => {
          await page.getByLabel('Compare with').selectOption('window');
          const field = page.locator('.compare-fields');
          await field.getByRole('button', { name: 'Sat', exact: true }).click();
          await field.getByRole('button', { name: 'Sun', exact: true }).click();
        },
        compare: { window: { days: ['sat', 'sun'] } },
      },
      'the rest': {
        fill: async (page) => {
          await page.getByLabel('Compare with').selectOption('rest');
          await choose(page, 'Split by', 'isp', 'ISP');
          await page.getByLabel('Only households on both sides').check();
        },
        compare: { to: 'rest', agents: 'both' },
      },
      'metadata as known at another time': {
        fill: async (page) => {
          await page.getByLabel('Compare with').selectOption('known');
          await page.getByLabel('Other metadata as recorded at').fill('now');
          await page.getByLabel('Other metadata as recorded at').press('Tab');
        },
        compare: { knownAt: 'now' },
      },
    };
  for (const [name, { fill, compare }] of Object.entries(others)) {
    it(`compares with ${name}, and a reload keeps it`, async () => {
      const range = { from: '2026-11-01', to: '2026-11-07' };
      const page = await openAt(link({ view: 'change', metric: 'httpget' }, range));
      await fill(page);
      const request = {
        ...plain,
        time: range,
        ...('to' in compare ? { splits: ['isp'] } : {}),
        compare,
      };
      await page.getByRole('tab', { name: 'Request' }).click();
      await page
        .getByLabel('JSON')
        .getByText(`"${Object.keys(compare)[0]}"`)
        .first()
        .waitFor();
      await page.locator('.results:not(.is-loading) .chart').waitFor();
      const json = () => page.getByLabel('JSON').innerText();
      const isSent = async () => {
        const sent = JSON.parse(await json()) as { compare?: object };
        return JSON.stringify(sent.compare) === JSON.stringify(compare);
      };
      await waitUntil(isSent);
      expect(JSON.parse(await json())).to.deep.equal(request);
      const points = await pointsOf(request);
      const values = Object.values(await drawn(page, 'there'));
      expect(values.toSorted()).to.deep.equal(
        points.map(({ compared }) => compared.metricValue).toSorted(),
      );
      const before = await drawnOn(page);
      await page.reload();
      expect(await drawnOn(page)).to.deep.equal(before);
      expect(JSON.parse(await json())).to.deep.equal(request);
    });
  }

  it('draws the difference of each day with its interval, and a reload keeps it', async () => {
    const range = { from: '2026-11-01', to: '2026-11-07' };
    const page = await openAt(link({ view: 'change', metric: 'httpget', split: 'isp' }, range));
    await page.getByLabel('Difference over').selectOption('daily');
    await page.waitForURL(/with_over=daily/);
    await page.locator('.chart[aria-label*="Difference of download speed"]').waitFor();
    const points = (
      await pointsOf({
        ...plain,
        aggregation: 'daily',
        splits: ['isp'],
        time: range,
        compare: { time: { from: '2026-10-25', to: '2026-10-31' } },
      })
    ).filter(({ isp }) => isp === 'Northwave');
    expect(points).to.have.length(7);
    const before = await drawnOn(page);
    const drawnPart = (part: string) =>
      before.series.find((one) => one.label === 'Northwave' && one.part === part)?.values;
    const numbers = points.map(({ difference }) => difference);
    expect(drawnPart('value')).to.deep.equal(numbers.map(({ metricValue }) => metricValue));
    expect(drawnPart('high')).to.deep.equal(
      numbers.map(({ metricValue, ci95 }) => metricValue + ci95),
    );
    expect(await page.locator('.findings').count()).to.equal(0);
    await page.locator('.chart').focus();
    await page.keyboard.press('Home');
    await page.locator('.tooltip', { hasText: /[−+]?[\d.,]+ ± [\d.,]+ Mbit\/s/ }).waitFor();
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    await page.reload();
    expect(await drawnOn(page)).to.deep.equal(before);
  });

  it('says at its field what a comparison needs', async () => {
    const { page } = await openExplorer(browser, {
      dataToken,
      fragment: link({ view: 'change', with: 'rest', metric: 'httpget' }),
    });
    await page
      .getByText('Choose a split first: each series is then compared with all others.')
      .waitFor();
    await page.getByLabel('Compare with').selectOption('period');
    await page.getByLabel('Other period from').fill('some day');
    await page.getByLabel('Other period from').press('Tab');
    await page.getByText('Enter two dates such as 2026-01-01 and 2026-01-31').waitFor();
  });

  async function openAt(fragment: string, token = dataToken): Promise<Page> {
    const { page } = await openExplorer(browser, { dataToken: token, fragment });
    await page.locator('.chart').waitFor();
    return page;
  }

  async function pointsOf(request: object): Promise<readonly Compared[]> {
    const { status, body } = await api.post('/metric_data', request);
    expect(status, JSON.stringify(body)).to.equal(200);
    return (body.data as { metricData: Compared[] }[]).flatMap(({ metricData }) => metricData);
  }
});

/** Mbit/s of each household on the day before (four days ago) and on the tested day. */
const areas: Readonly<Record<string, readonly (readonly [number | null, number | null])[]>> = {
  // The differences are 50, 52, 48, 51, 49 and 50: mean 50, standard error √(10 / 30), t = 2.571.
  faster: [
    [100, 150],
    [110, 162],
    [120, 168],
    [130, 181],
    [140, 189],
    [150, 200],
  ],
  // The example of docs/comparisons.md: 6.25, of which −1.5 joined and 7.75 stayed.
  steady: [
    [90, 100],
    [76, 80],
    [63, 60],
    [70, 90],
    [null, 75],
  ],
  equal: [
    [10, 15],
    [20, 25],
    [30, 35],
  ],
  lone: [[10, 20]],
  gone: [
    [40, null],
    [50, null],
  ],
};

describe('the words of a comparison in the explorer', () => {
  const browser = useBrowser();
  let tenant: Tenant;
  const fragment = link(
    { view: 'change', metric: 'httpget', split: 'area' },
    { from: testedDay, to: testedDay },
  );

  before(async () => {
    const { database, clickhouse } = await localStack();
    tenant = await newTenant(database);
    for (const [area, households] of Object.entries(areas)) {
      for (const [i, speeds] of households.entries()) {
        const agentId = `${area}-${i}`;
        const agentKey = await addAgent(database, tenant.organisationId, { agentId });
        await changeMetadata(database, tenant, {
          agent: { agent_id: agentId },
          metadata: { timezone: 'UTC', custom: { area } },
          backdate_from: daysAgo(10),
        });
        const rows = [dayBefore(4), testedDay].flatMap((day, side) => {
          const mbps = speeds[side];
          return mbps == null ? [] : [{ agentKey, agentId, mbps, dtime: `${day} 12:00:00` }];
        });
        await addDownloads(clickhouse, tenant.organisationId, rows);
      }
    }
    await waitUntilPublished(database, tenant.organisationId);
  });

  it('are those of a hand-computed example, with what the difference consists of', async () => {
    const { page } = await openExplorer(browser, { dataToken: tenant.dataToken, fragment });
    const item = (name: string) => page.locator('.findings li', { hasText: name });
    const day = dayBefore(4);
    expect(await item('Faster').innerText()).to.equal(
      `Faster was 50.0 Mbit/s faster on ${testedDay} than on ${day} (95 % interval 48.5 to 51.5, 6 households).\n\nOf the difference: stayed on the same plan +50.0.`,
    );
    expect(await item('Steady').innerText()).to.match(
      /^Steady: no difference can be shown \(−\d+ to \+\d+ Mbit\/s, 5 households\)\.\n\nOf the difference: households that joined −2, stayed on the same plan \+8\.$/,
    );
    const { series } = await drawnOn(page);
    const steady = series.find(({ label, part }) => label === 'steady' && part === 'difference');
    expect(steady?.values[0]).to.be.closeTo(6.25, 1e-9);
  });

  it('name the reason why there is no difference, and why it is not tested', async () => {
    const { page } = await openExplorer(browser, { dataToken: tenant.dataToken, fragment });
    const sentences = await allSentences(page);
    expect(sentences).to.include.members([
      'Equal: not tested, because the values do not vary.',
      'Lone: not tested, because a side has fewer than two households.',
      'Gone: not compared, because a side has no results.',
    ]);
    await page.locator('.report > summary').click();
    await page.getByLabel('Households per point, at least').fill('4');
    await page.getByLabel('Households per point, at least').press('Tab');
    await page.getByText('fewer than 4 households hidden').waitFor();
    const hidden = await allSentences(page);
    expect(hidden).to.include('Lone: hidden, because too few households are on a side.');
    // Its households are enough on both sides.
    expect(hidden.find((text) => text.startsWith('Faster'))).to.contain('50.0 Mbit/s faster');
    await page.locator('.chart svg', { hasText: 'hidden' }).waitFor();
  });

  async function allSentences(page: Page): Promise<readonly string[]> {
    await page.locator('.results:not(.is-loading) .findings li').first().waitFor();
    return page.locator('.findings li > p:first-child').allInnerTexts();
  }
});

async function drawn(page: Page, part: string): Promise<Record<string, number | null>> {
  const { kind, series } = await drawnOn(page);
  expect(kind).to.equal('comparison');
  const own = series.filter((one) => one.part === part);
  return Object.fromEntries(own.map(({ label, values }) => [label, values[0] ?? null]));
}
