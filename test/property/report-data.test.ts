import fc from 'fast-check';
import { compareWithReference } from './compare-with-reference.ts';
import { propertyPanel, propertySeed, reportRuns, type StoredPanel } from './property-panel.ts';
import {
  comparisonArbitrary,
  reportArbitrary,
  reportCaseArbitrary,
  reportCases,
} from './report-arbitrary.ts';

describe('reports for random requests', function () {
  this.timeout(300_000 + reportRuns * 3000);
  let stored: StoredPanel;
  before(async () => (stored = await propertyPanel()));

  it(`match the reference implementation for ${reportRuns} requests`, async () => {
    const cases = reportCases.map((fields) => reportCaseArbitrary(stored.panel, fields));
    const random = reportArbitrary(stored.panel);
    // One of each case, a comparison, and two in which anything can be combined.
    const requests = [...cases, comparisonArbitrary(stored.panel), random, random];
    for (const [i, request] of requests.entries()) {
      await fc.assert(
        fc.asyncProperty(request, (one) => compareWithReference(stored.panel, stored.post, one)),
        { numRuns: Math.ceil(reportRuns / requests.length), seed: propertySeed + i },
      );
    }
  });
});
