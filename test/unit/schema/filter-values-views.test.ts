import { expect } from 'chai';
import { fieldsOf } from '../../../services/catalog/fields.ts';
import { metrics } from '../../../services/catalog/metrics.ts';
import { filterValuesViews } from '../../../services/schema/clickhouse/generated/filter-values-views.ts';

describe('the views of filter values', () => {
  for (const metric of metrics) {
    it(`have every column filter of ${metric.key}`, () => {
      const view =
        filterValuesViews().find(({ name }) => name === `filter_values_${metric.test}`)?.sql ?? '';
      const missing = fieldsOf(metric)
        // Agents and units are listed from Postgres.
        .filter(({ name }) => name !== 'agent' && name !== 'unit')
        .filter(({ name, source }) => {
          if (source.kind !== 'column') return false;
          const column = source.type === 'text' ? source.column : `toString(${source.column})`;
          return !view.includes(`('${name}', ${column})`);
        })
        .map(({ name }) => name);
      expect(missing).to.deep.equal([]);
    });
  }
});
