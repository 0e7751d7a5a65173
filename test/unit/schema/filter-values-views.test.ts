import { expect } from 'chai';
import { fieldsOf } from '../../../services/catalog/fields.ts';
import { metrics } from '../../../services/catalog/metrics.ts';
import { insertFeeds } from '../../../services/schema/clickhouse/generated/insert-feeds.ts';

describe('the views of filter values', () => {
  for (const metric of metrics) {
    it(`have every column filter of ${metric.key}`, () => {
      const view =
        insertFeeds().find(({ name }) => name === `filter_values_${metric.test}`)?.sql ?? '';
      const missing = fieldsOf(metric)
        // Agents and units are listed from their metadata.
        .filter(({ name }) => name !== 'agent' && name !== 'unit')
        .filter(({ name, source }) => {
          if (source.kind !== 'column') return false;
          const column = source.type === 'text' ? source.column : `toString(${source.column})`;
          return !view.includes(`('${name}', ${column})`);
        })
        .map(({ name }) => name);
      expect(missing).to.deep.equal([]);
    });

    it(`copy only rows that are results, such as those of ${metric.key}`, () => {
      const view = insertFeeds().find(({ name }) => name === `filter_values_${metric.test}`);
      const own = metrics.filter(({ test }) => test === metric.test);
      // One condition for all fields of a test is enough while its metrics have the same fields.
      expect(new Set(own.map((one) => one.ownFields.join()))).to.have.property('size', 1);
      const condition = metric.existsWhen === '1' ? 'WHERE 1' : `(${metric.existsWhen})`;
      expect(view?.sql).to.include(condition);
    });
  }
});
