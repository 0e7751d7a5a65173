import { columnType } from '../../catalog/test-columns.ts';
import { commonColumns, testTable } from '../../catalog/test-tables.ts';
import { param, sql } from '../../shared/sql/expression.ts';
import type { TestQuery } from '../request/test-query.ts';
import { compiledQuery, type CompiledQuery, semanticSettings } from './compiled-query.ts';

/**
 * Compiles a request for test data: every stored row once, unchanged. Ordered by day, agent and time
 * like the table's sorting key, so that a response of any size streams.
 */
export function compileTestQuery(query: TestQuery): CompiledQuery {
  const table = testTable(query.test);
  const from = param('from', "DateTime64(3, 'UTC')", query.fromUtc);
  const to = param('to', "DateTime64(3, 'UTC')", query.toUtc);
  const columns = [...commonColumns, ...table.columns];
  return compiledQuery({
    query: {
      steps: [],
      select: {
        columns,
        from: `test_${table.key}`,
        final: true,
        where: [
          sql`organisation_id = ${param('organisation', 'UInt32', query.organisationId)}`,
          // Day and time, because the sorting key starts with the day.
          sql`toDate(dtime) >= toDate(${from})`,
          sql`toDate(dtime) <= toDate(${to})`,
          sql`dtime >= ${from}`,
          sql`dtime <= ${to}`,
        ],
        orderBy: ['toDate(dtime)', 'agent_key', 'dtime', ...table.rowKey],
      },
      settings: semanticSettings(),
    },
    columns: columns.map((name) => ({ name, kind: columnType(name) })),
    series: { keyColumns: 0, orders: [], hasEmptySeries: true },
    knownAt: [],
    reads: {
      test: query.test,
      fromDay: query.fromUtc.slice(0, 10),
      toDay: query.toUtc.slice(0, 10),
    },
  });
}
