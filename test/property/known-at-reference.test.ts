import { expect } from 'chai';
import fc from 'fast-check';
import { firstDifference } from '../reference/first-difference.ts';
import { panelKnownAt } from '../reference/recorded-panel.ts';
import { referenceResponse } from '../reference/reference-response.ts';
import { queryRows } from '../../services/shared/clickhouse/query-rows.ts';
import { localStack } from '../support/local-stack.ts';
import { compareWithReference } from './compare-with-reference.ts';
import { forAll } from './for-all.ts';
import { type KnownAtPanel, storeKnownAtPanel } from './known-at-panel.ts';
import { postMetricDataTo, type PostMetricData } from './post-metric-data.ts';
import { propertyRuns } from './property-panel.ts';
import { requestArbitrary } from './request-arbitrary.ts';

// Each moment is copied to ClickHouse first.
const runs = Math.ceil(propertyRuns / 3);

describe('metric data for random requests with knownAt', function () {
  this.timeout(300_000 + runs * 3000);
  let stored: KnownAtPanel;
  let post: PostMetricData;
  let plansSlowly: boolean;

  before(async () => {
    const stack = await localStack();
    stored = await storeKnownAtPanel(stack);
    post = postMetricDataTo(stack.queryUrl, stored.dataToken);
    const [row] = await queryRows<{ version: string }>(
      stack.clickhouse,
      'SELECT version() AS version',
    );
    plansSlowly = row!.version.startsWith('25.');
  });

  it(`matches the reference implementation for ${runs} requests`, async () => {
    let changed = 0;
    const { recorded, momentsMs } = stored;
    const moments = fc.constantFrom(...momentsMs);
    // ClickHouse 25.8 needs fifteen seconds or more to plan a comparison.
    const isCompared = plansSlowly ? fc.constant(false) : fc.boolean();
    const requests = fc.tuple(moments, moments, isCompared).chain(([momentMs, otherMs, isBoth]) =>
      requestArbitrary(panelKnownAt(recorded, momentMs)).map((request) => ({
        momentMs,
        otherMs,
        request: {
          ...request,
          knownAt: new Date(momentMs).toISOString(),
          ...(isBoth &&
            request.chartType === 'aggregate' && {
              compare: { knownAt: new Date(otherMs).toISOString() },
            }),
        },
      })),
    );
    await forAll(requests, runs, async ({ momentMs, otherMs, request }) => {
      const knownAt = (ms: number) => panelKnownAt(recorded, ms);
      const alsoKnown = [momentMs, otherMs, Infinity].map(knownAt);
      const [known, compared] = [momentMs, otherMs].map((ms) => ({ ...knownAt(ms), alsoKnown }));
      await compareWithReference(known!, post, request, 0, compared);
      const now = new Date();
      const current = referenceResponse(knownAt(Infinity), request, now);
      if (firstDifference(current, referenceResponse(known!, request, now)) !== undefined)
        changed++;
    });
    // Otherwise the test would pass without knownAt.
    expect(changed).to.be.greaterThan(runs / 10);
  });
});
