import { compareWithReference } from './compare-with-reference.ts';
import { forAll } from './for-all.ts';
import { propertyPanel, propertyRuns, type StoredPanel } from './property-panel.ts';
import { requestArbitrary } from './request-arbitrary.ts';

describe('metric data for random requests', function () {
  this.timeout(300_000 + propertyRuns * 1000);
  let stored: StoredPanel;
  before(async () => (stored = await propertyPanel()));

  it(`matches the reference implementation for ${propertyRuns} requests`, async () => {
    await forAll(requestArbitrary(stored.panel), propertyRuns, (request) =>
      compareWithReference(stored.panel, stored.post, request),
    );
  });
});
