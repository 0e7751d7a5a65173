import type { FieldSource } from '../../../catalog/field.ts';
import { fieldsOf } from '../../../catalog/fields.ts';
import type { Metric } from '../../../catalog/metric.ts';
import { metrics } from '../../../catalog/metrics.ts';
import { isResultOfAny } from '../../../catalog/result.ts';
import type { TestTable } from '../../../catalog/test-table.ts';
import { commonColumns, testTables } from '../../../catalog/test-tables.ts';
import type { GeneratedMaterializedView } from './generated-object.ts';

/**
 * filter_values_<test>: copies the values of filter fields to filter_values at every insert, for autocomplete. Only
 * values of rows that are a result of a metric: a failed video has the resolution 0, which no result has.
 */
export function filterValuesViews(): readonly GeneratedMaterializedView[] {
  return Object.values(testTables).map((table) => {
    const own = metrics.filter(({ test }) => test === table.key);
    const columns = valueColumns(table, own);
    const pairs = columns.map(({ field, text }) => `('${field}', ${text})`);
    return {
      kind: 'materialized view',
      name: `filter_values_${table.key}`,
      target: 'filter_values',
      sql: `SELECT DISTINCT organisation_id, pair.1 AS field, lower(pair.2) AS value_lower, pair.2 AS value
FROM
(
    SELECT organisation_id, arrayJoin([
        ${pairs.join(',\n        ')}
    ]::Array(Tuple(String, String))) AS pair
    FROM (
        SELECT DISTINCT organisation_id, ${columns.map(({ column }) => column).join(', ')}
        FROM test_${table.key}
        WHERE ${isResultOfAny(own)}
    )
)
WHERE value != ''`,
    };
  });
}

interface ValueColumn {
  readonly column: string;
  /** Name of the field in requests. */
  readonly field: string;
  /** SQL of the value as text. */
  readonly text: string;
}

/** The columns of a test that are filter fields. Agents and units are listed from their metadata instead. */
function valueColumns({ columns }: TestTable, own: readonly Metric[]): readonly ValueColumn[] {
  const fields = [...new Set(own.flatMap(fieldsOf))];
  return [...commonColumns, ...columns].flatMap((column) =>
    fields
      .filter(({ source }) => isColumn(source, column) && source.type !== 'id')
      .filter(({ name }) => name !== 'agent')
      .map(({ name, source }) => ({
        column,
        field: name,
        text: source.kind === 'column' && source.type === 'number' ? `toString(${column})` : column,
      })),
  );
}

function isColumn(source: FieldSource, column: string): source is FieldSource & { kind: 'column' } {
  return source.kind === 'column' && source.column === column;
}
