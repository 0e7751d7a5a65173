import { aggregations } from '../services/catalog/aggregations.ts';
import { metricFields, standardFields } from '../services/catalog/fields.ts';
import { metrics } from '../services/catalog/metrics.ts';
import { statistics } from '../services/catalog/statistics.ts';
import { testTables } from '../services/catalog/test-tables.ts';

/** docs/catalogue.md: every test, metric, field, aggregation and statistic. */
export function cataloguePage(): string {
  return `# Catalogue

Generated from \`services/catalog\` by \`make generate\`. The API lists the same at \`GET /tests\`, \`/metrics\`, \`/splits\` and \`/filters\`, as far as the caller may see it.

## Tests

Each test has a table \`test_<key>\` with every row and a view \`results_<key>\` with one row per result.

${table(
  ['key', 'agents', 'what it measures', 'own columns'],
  Object.values(testTables).map(({ key, agents, description, columns }) => [
    code(key),
    agents,
    description,
    columns.join(', '),
  ]),
)}
## Metrics

Each metric has a view \`metric_<key>\` with one row per result. \`GET /metrics\` also shows the SQL of each.

${table(
  ['key', 'unit', 'what it is', 'test', 'own fields'],
  metrics.map(({ key, aliases, unit, description, test, ownFields }) => [
    [key, ...aliases].map(code).join(', '),
    unit,
    description,
    code(test),
    ownFields.join(', '),
  ]),
)}
## Fields to split and filter by

The first ones exist for every test that has the column; the others only for the metrics that name them. An organisation's custom metadata keys are fields as well.

${table(
  ['name', 'what it is', 'from'],
  [...standardFields, ...metricFields].map(({ name, description, source }) => [
    code(name),
    description,
    source.kind === 'column' ? `column \`${source.column}\`` : 'metadata as of the result',
  ]),
)}
## Aggregations

${table(
  ['key', 'label', 'bucket of the local time'],
  Object.entries(aggregations).map(([key, definition]) => [
    code(key),
    definition.label,
    'bucket' in definition ? code(definition.bucket) : 'one bucket',
  ]),
)}
## Statistics of a point

[statistics.md](statistics.md) defines them exactly.

${table(
  ['name', 'what it is'],
  statistics.map(({ name, description }) => [code(name), description]),
)}`;
}

function code(text: string): string {
  return `\`${text}\``;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('');
}
