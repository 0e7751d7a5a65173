import fc from 'fast-check';
import { differenceFromReference } from './difference-from-reference.ts';
import { propertyPanel, propertyRuns, propertySeed, type StoredPanel } from './property-panel.ts';
import { reportArbitrary } from './report-arbitrary.ts';

describe('reports for random requests', function () {
  this.timeout(300_000 + propertyRuns * 1000);
  let stored: StoredPanel;
  before(async () => (stored = await propertyPanel()));

  it(`match the reference implementation for ${propertyRuns} requests`, async () => {
    await fc.assert(
      fc.asyncProperty(reportArbitrary(stored.panel), async (request) => {
        const difference = await differenceFromReference(stored, request);
        if (difference === undefined) return;
        throw new Error(
          `${difference}\nrequest: ${JSON.stringify(request)}\nrepeat with PROPERTY_SEED=${propertySeed}`,
        );
      }),
      { numRuns: propertyRuns, seed: propertySeed },
    );
  });
});
