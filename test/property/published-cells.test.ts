import { expect } from 'chai';
import { firstDifference } from '../reference/first-difference.ts';
import type { MetricRequest } from '../reference/metric-request.ts';
import { cellMetrics } from '../reference/metrics/cells.ts';
import { cellResponse } from '../reference/published-cells.ts';
import { DataApi } from '../support/data-api.ts';
import { localStack } from '../support/local-stack.ts';
import type { Panel } from '../reference/panel.ts';
import { forAll } from './for-all.ts';
import { randomPanel } from './random-panel.ts';
import { propertyRuns, propertySeed } from './property-panel.ts';
import { requestArbitrary } from './request-arbitrary.ts';
import { storePanel } from './store-panel.ts';

describe('published percentiles for random requests', function () {
  this.timeout(300_000 + propertyRuns * 1000);

  it(`match the reference for ${propertyRuns} requests: a point is one cell, or the request is refused`, async () => {
    const stack = await localStack();
    const panel = withFewCells(randomPanel(propertySeed));
    const { dataToken } = await storePanel(stack, panel);
    const api = new DataApi(stack.queryUrl, dataToken);
    const found = { points: 0, refused: 0 };
    const requests = requestArbitrary(panel, Object.keys(cellMetrics)).map(ofCells);
    await forAll(requests, propertyRuns, async (request) => {
      const expected = cellResponse(panel, request, new Date());
      const { status, body } = await api.post('/metric_data', request);
      expect(status, JSON.stringify(body)).to.equal(expected === null ? 422 : 200);
      if (expected === null) {
        found.refused++;
        expect(body.errors).to.have.keys('splits');
        return;
      }
      found.points += expected.reduce((sum, { metricData }) => sum + metricData.length, 0);
      expect(firstDifference(expected, body.data)).to.equal(undefined);
    });
    expect(found.points).to.be.greaterThan(0);
    expect(found.refused).to.be.greaterThan(0);
  });
});

/** At least two days between the cells of an agent, so that some points have one cell and others several. */
function withFewCells(panel: Panel): Panel {
  const keptMs = new Map<string, number>();
  const cells = panel.rows.cells
    .toSorted((a, b) => a.dtimeUtcMs - b.dtimeUtcMs)
    .filter(({ agent: { agentId }, dtimeUtcMs }) => {
      const isFar = dtimeUtcMs - (keptMs.get(agentId) ?? -Infinity) > 2 * 86_400_000;
      if (isFar) keptMs.set(agentId, dtimeUtcMs);
      return isFar;
    });
  return { ...panel, rows: { ...panel.rows, cells } };
}

/** Days of the panel, and mostly one agent per point. */
function ofCells({ splits = [], filters, ...request }: MetricRequest): MetricRequest {
  const days = ['daily', 'weekly', 'monthly', 'quarterly', 'yearly', 'total'] as const;
  const { aggregation } = request;
  const place = JSON.stringify([splits, request.time]).length;
  return {
    ...request,
    ...(filters && { filters }),
    chartType: 'aggregate',
    aggregation: days.find((known) => known === aggregation) ?? 'daily',
    normalised: false,
    agent_agg: false,
    splits: place % 4 === 0 || splits.includes('agent') ? splits : [...splits.slice(0, 2), 'agent'],
  };
}
