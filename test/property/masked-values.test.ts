import fc from 'fast-check';
import { metricDefinitions } from '../reference/metric-definitions.ts';
import { compareWithReference } from './compare-with-reference.ts';
import { forAll } from './for-all.ts';
import { propertyPanel, reportRuns } from './property-panel.ts';
import { comparisonArbitrary, reportArbitrary } from './report-arbitrary.ts';
import { requestArbitrary } from './request-arbitrary.ts';

const metrics = Object.keys(metricDefinitions).filter(
  (metric) => metricDefinitions[metric]!.masked !== undefined,
);

describe('metrics with masked values', function () {
  this.timeout(300_000 + reportRuns * 3000);

  it(`match the reference for ${reportRuns} requests: a number is known if it is the same whatever is masked`, async () => {
    const { panel, post } = await propertyPanel();
    const requests = fc.oneof(
      requestArbitrary(panel, metrics),
      reportArbitrary(panel, {}, metrics),
      comparisonArbitrary(panel, metrics),
    );
    await forAll(requests, reportRuns, (request) => compareWithReference(panel, post, request));
  });
});
