import fc from 'fast-check';
import { answer } from '../reference/answer.ts';
import { firstDifference } from '../reference/first-difference.ts';
import type { MetricRequest } from '../reference/metric-request.ts';
import { propertyPanel, propertyRuns, propertySeed, type StoredPanel } from './property-panel.ts';
import { requestArbitrary } from './request-arbitrary.ts';

describe('metric data over random requests', function () {
  this.timeout(300_000 + propertyRuns * 1000);
  let stored: StoredPanel;
  before(async () => (stored = await propertyPanel()));

  it(`${propertyRuns} answers are what the reference works out row by row`, async () => {
    await fc.assert(
      fc.asyncProperty(requestArbitrary(stored.panel), async (request) => {
        const difference = await differenceFromReference(stored, request);
        if (difference === undefined) return;
        throw new Error(
          `${difference}\nasked: ${JSON.stringify(request)}\nrepeat with PROPERTY_SEED=${propertySeed}`,
        );
      }),
      { numRuns: propertyRuns, seed: propertySeed },
    );
  });
});

async function differenceFromReference(
  { panel, ask }: StoredPanel,
  request: MetricRequest,
): Promise<string | undefined> {
  const askedAt = new Date();
  const answered = await ask(request);
  const differenceAt = (now: Date) => firstDifference(answer(panel, request, now), answered);
  const difference = differenceAt(askedAt);
  // The service's own `now` lies between the two; only a result that ends just then sees which.
  return difference === undefined || differenceAt(new Date()) === undefined
    ? undefined
    : difference;
}
