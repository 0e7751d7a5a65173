import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { fieldsOf } from '../../../services/catalog/fields.ts';
import { metrics } from '../../../services/catalog/metrics.ts';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';

const sql = readFileSync(join(repositoryRoot, 'deploy/clickhouse/006_filter_values.sql'), 'utf8');

describe('the views that gather values for auto-complete', () => {
  for (const metric of metrics) {
    it(`have every field of results that ${metric.key} can be filtered by`, () => {
      const view = sql.split(`filter_values_${metric.test} TO`)[1]?.split(';')[0] ?? '';
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
