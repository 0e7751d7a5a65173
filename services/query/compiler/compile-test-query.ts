import { commonColumns, testTable } from '../../catalog/test-tables.ts';
import type { TestQuery } from '../request/test-query.ts';
import type { Column, CompiledQuery } from './compiled-query.ts';
import { ParamBinder } from './param-binder.ts';
import { semanticSettings } from './semantic-settings.ts';
import { indented, list } from './sql-text.ts';

/**
 * The query that answers a request for test data: every stored row once, as it came in. Ordered by
 * day, agent and time, which is how the table is kept, so that an answer of any size streams.
 */
export function compileTestQuery(query: TestQuery): CompiledQuery {
  const binder = new ParamBinder();
  const from = binder.bind("DateTime64(3, 'UTC')", query.fromUtc);
  const to = binder.bind("DateTime64(3, 'UTC')", query.toUtc);
  const table = testTable(query.test);
  const columns = [...commonColumns, ...table.columns];
  const sql = [
    'SELECT',
    list(columns),
    `FROM test_${table.key} FINAL`,
    'WHERE',
    indented(
      [
        `organisation_id = ${binder.bind('UInt32', query.organisationId)}`,
        // The day as well as the time, since the key has the day in front.
        `toDate(dtime) >= toDate(${from})`,
        `toDate(dtime) <= toDate(${to})`,
        `dtime >= ${from}`,
        `dtime <= ${to}`,
      ].join('\nAND '),
    ),
    `ORDER BY ${['toDate(dtime)', 'agent_key', 'dtime', ...table.rowKey].join(', ')}`,
    semanticSettings,
  ].join('\n');
  return {
    sql,
    params: binder.params,
    columns: columns.map((name): Column => ({ name, kind: 'any' })),
    seriesColumns: [],
  };
}
