import fc from 'fast-check';
import { compareWithReference } from './compare-with-reference.ts';
import { propertyPanel, propertyRuns, propertySeed, type StoredPanel } from './property-panel.ts';
import { reportArbitrary } from './report-arbitrary.ts';

// Reports take longer than other requests.
const runs = Math.ceil(propertyRuns / 3);

describe('reports for random requests', function () {
  this.timeout(300_000 + runs * 3000);
  let stored: StoredPanel;
  before(async () => (stored = await propertyPanel()));

  it(`match the reference implementation for ${runs} requests`, async () => {
    await fc.assert(
      fc.asyncProperty(reportArbitrary(stored.panel), (request) =>
        compareWithReference(stored.panel, stored.post, request),
      ),
      { numRuns: runs, seed: propertySeed },
    );
  });
});
