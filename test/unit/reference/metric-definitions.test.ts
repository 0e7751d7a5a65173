import { expect } from 'chai';
import { metrics } from '../../../services/catalog/metrics.ts';
import { testTable } from '../../../services/catalog/test-tables.ts';
import { hasSchedule } from '../../reference/coverage.ts';
import { metricDefinitions } from '../../reference/metric-definitions.ts';

describe('metrics of the reference', () => {
  it('are exactly those of the catalogue, including aliases', () => {
    const names = metrics.flatMap(({ key, aliases }) => [key, ...aliases]);
    expect(Object.keys(metricDefinitions)).to.have.members(names);
  });

  it('have a schedule if their test has one, so that random requests leave the rate of coverage to it', () => {
    for (const { key, test } of metrics) {
      const isScheduled = testTable(test).schedule !== undefined;
      expect(hasSchedule(metricDefinitions[key]!), key).to.equal(isScheduled);
    }
  });
});
