import fc from 'fast-check';
import { referenceResponse } from '../reference/reference-response.ts';
import { firstDifference } from '../reference/first-difference.ts';
import type { MetricRequest } from '../reference/metric-request.ts';
import { propertyPanel, propertyRuns, propertySeed, type StoredPanel } from './property-panel.ts';
import { requestArbitrary } from './request-arbitrary.ts';

describe('metric data for random requests', function () {
  this.timeout(300_000 + propertyRuns * 1000);
  let stored: StoredPanel;
  before(async () => (stored = await propertyPanel()));

  it(`matches the reference implementation for ${propertyRuns} requests`, async () => {
    await fc.assert(
      fc.asyncProperty(requestArbitrary(stored.panel), async (request) => {
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

async function differenceFromReference(
  { panel, post }: StoredPanel,
  request: MetricRequest,
): Promise<string | undefined> {
  const sentAt = new Date();
  const actual = await post(request);
  const differenceAt = (now: Date) =>
    firstDifference(referenceResponse(panel, request, now), actual);
  const difference = differenceAt(sentAt);
  // The service's `now` lies between the two times. Accept the response if it matches either.
  return difference === undefined || differenceAt(new Date()) === undefined
    ? undefined
    : difference;
}
