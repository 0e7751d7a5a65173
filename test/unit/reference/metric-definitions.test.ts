import { expect } from 'chai';
import { metrics } from '../../../services/catalog/metrics.ts';
import { metricDefinitions } from '../../reference/metric-definitions.ts';

describe('metrics of the reference', () => {
  it('are exactly those of the catalogue, including aliases', () => {
    const names = metrics.flatMap(({ key, aliases }) => [key, ...aliases]);
    expect(Object.keys(metricDefinitions)).to.have.members(names);
  });
});
