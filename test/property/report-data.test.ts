import type fc from 'fast-check';
import type { MetricRequest } from '../reference/metric-request.ts';
import { compareWithReference } from './compare-with-reference.ts';
import { forAll } from './for-all.ts';
import { comparisonRuns, propertyPanel, reportRuns, type StoredPanel } from './property-panel.ts';
import {
  comparisonArbitrary,
  reportArbitrary,
  reportCaseArbitrary,
  reportCases,
} from './report-arbitrary.ts';

describe('reports for random requests', function () {
  this.timeout(300_000 + (reportRuns + comparisonRuns) * 3000);
  let stored: StoredPanel;
  before(async () => (stored = await propertyPanel()));

  it(`match the reference implementation for ${reportRuns} requests`, async () => {
    const cases = reportCases.map((fields) => reportCaseArbitrary(stored.panel, fields));
    const random = reportArbitrary(stored.panel);
    // One of each case, and two in which anything can be combined.
    await allMatch([...cases, random, random], reportRuns);
  });

  it(`match the reference implementation for ${comparisonRuns} comparisons`, async () => {
    const random = reportArbitrary(stored.panel).filter(({ compare }) => compare !== undefined);
    await allMatch([comparisonArbitrary(stored.panel), random], comparisonRuns);
  });

  async function allMatch(requests: readonly fc.Arbitrary<MetricRequest>[], runs: number) {
    for (const [i, request] of requests.entries()) {
      const compare = (one: MetricRequest) => compareWithReference(stored.panel, stored.post, one);
      await forAll(request, Math.ceil(runs / requests.length), compare, i);
    }
  }
});
