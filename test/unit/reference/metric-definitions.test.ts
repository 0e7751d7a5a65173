import { expect } from 'chai';
import { metrics } from '../../../services/catalog/metrics.ts';
import { metricDefinitions } from '../../reference/metric-definitions.ts';

describe('metrics of the reference', () => {
  it('are all that the catalogue offers, by every name, and no others', () => {
    const offered = metrics.flatMap(({ key, aliases }) => [key, ...aliases]);
    expect(Object.keys(metricDefinitions)).to.have.members(offered);
  });
});
