import type { FieldSource } from '../../../catalog/field.ts';
import { metricFields, standardFields } from '../../../catalog/fields.ts';
import { commonColumns, type TestTable, testTables } from '../../../catalog/test-tables.ts';
import type { GeneratedMaterializedView } from './generated-object.ts';

/** filter_values_<test>: copies the values of filter fields to filter_values at every insert, for autocomplete. */
export function filterValuesViews(): readonly GeneratedMaterializedView[] {
  return Object.values(testTables).map((table) => {
    const columns = valueColumns(table);
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
    FROM (SELECT DISTINCT organisation_id, ${columns.map(({ column }) => column).join(', ')} FROM test_${table.key})
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

/** The columns of a test that are filter fields. Agents and units are listed from Postgres instead. */
function valueColumns({ columns }: TestTable): readonly ValueColumn[] {
  const fields = [...standardFields, ...metricFields];
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
