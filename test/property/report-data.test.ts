import fc from 'fast-check';
import { compareWithReference } from './compare-with-reference.ts';
import { propertyPanel, propertySeed, reportRuns, type StoredPanel } from './property-panel.ts';
import { reportArbitrary } from './report-arbitrary.ts';

describe('reports for random requests', function () {
  this.timeout(300_000 + reportRuns * 3000);
  let stored: StoredPanel;
  before(async () => (stored = await propertyPanel()));

  it(`match the reference implementation for ${reportRuns} requests`, async () => {
    await fc.assert(
      fc.asyncProperty(reportArbitrary(stored.panel), (request) =>
        compareWithReference(stored.panel, stored.post, request),
      ),
      { numRuns: reportRuns, seed: propertySeed },
    );
  });
});
