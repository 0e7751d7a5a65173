import { expect } from 'chai';
import fc from 'fast-check';
import { firstDifference } from '../reference/first-difference.ts';
import { type RecordedPanel, panelKnownAt } from '../reference/recorded-panel.ts';
import { referenceResponse } from '../reference/reference-response.ts';
import { localStack } from '../support/local-stack.ts';
import { compareWithReference } from './compare-with-reference.ts';
import { postMetricDataTo, type PostMetricData } from './post-metric-data.ts';
import { propertyRuns, propertySeed } from './property-panel.ts';
import { Random } from './random.ts';
import { randomPanel } from './random-panel.ts';
import { randomRecords } from './random-records.ts';
import { requestArbitrary } from './request-arbitrary.ts';
import { storePanel } from './store-panel.ts';
import { storeRecords } from './store-records.ts';

// Each moment is copied to ClickHouse first.
const runs = Math.ceil(propertyRuns / 3);
const changeCount = 5;
const betweenChangesMs = 100;

describe('metric data for random requests with knownAt', function () {
  this.timeout(300_000 + runs * 3000);
  let recorded: RecordedPanel;
  let momentsMs: readonly number[];
  let post: PostMetricData;

  before(async () => {
    const stack = await localStack();
    const panel = randomPanel(propertySeed);
    const { dataToken } = await storePanel(stack, panel, async (_stack, organisationId, keys) => {
      // A moment before the organisation existed is refused.
      const { createdAt } = await stack
        .database('organisations')
        .where({ id: organisationId })
        .first<{ createdAt: Date }>({ createdAt: 'created_at' });
      const changesAtMs = Array.from(
        { length: changeCount },
        (_, i) => createdAt.getTime() + (i + 1) * betweenChangesMs,
      );
      recorded = randomRecords(new Random(propertySeed), panel, changesAtMs);
      momentsMs = changesAtMs.flatMap((ms) => [ms - 1, ms, ms + betweenChangesMs / 2]);
      await storeRecords(stack, organisationId, recorded, keys);
    });
    post = postMetricDataTo(stack.queryUrl, dataToken);
  });

  it(`matches the reference implementation for ${runs} requests`, async () => {
    let changed = 0;
    const requests = fc.constantFrom(...momentsMs).chain((momentMs) =>
      requestArbitrary(panelKnownAt(recorded, momentMs)).map((request) => ({
        momentMs,
        request: { ...request, knownAt: new Date(momentMs).toISOString() },
      })),
    );
    await fc.assert(
      fc.asyncProperty(requests, async ({ momentMs, request }) => {
        const known = panelKnownAt(recorded, momentMs);
        await compareWithReference(known, post, request);
        const now = new Date();
        const current = referenceResponse(panelKnownAt(recorded, Infinity), request, now);
        if (firstDifference(current, referenceResponse(known, request, now)) !== undefined)
          changed++;
      }),
      { numRuns: runs, seed: propertySeed },
    );
    // Otherwise the test would pass without knownAt.
    expect(changed).to.be.greaterThan(runs / 10);
  });
});
