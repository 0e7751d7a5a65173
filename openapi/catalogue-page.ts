import { aggregations } from '../services/catalog/aggregations.ts';
import type { Field } from '../services/catalog/field.ts';
import { metricFields, standardFields } from '../services/catalog/fields.ts';
import { methods } from '../services/catalog/methods.ts';
import { metrics } from '../services/catalog/metrics.ts';
import { statistics } from '../services/catalog/statistics.ts';
import type { TestTable } from '../services/catalog/test-table.ts';
import { testTables } from '../services/catalog/test-tables.ts';

const tests: readonly TestTable[] = Object.values(testTables);

/** docs/catalogue.md: every test, metric, field, aggregation and statistic. */
export function cataloguePage(): string {
  return `# Catalogue

Generated from \`services/catalog\` by \`make generate\`. \`GET /tests\`, \`/metrics\`, \`/splits\` and \`/filters\` list what is available to an organisation.

## Tests

Each test has a table \`test_<key>\` with every row and a view \`results_<key>\` with one row per result.

${table(
  ['key', 'name', 'agents', 'description', 'columns'],
  tests.map(({ key, name, agents, description, columns }) => [
    code(key),
    name,
    agents,
    description,
    columns.join(', '),
  ]),
)}
### Schedules

What \`"coverage": true\` expects of an agent. The other tests have no schedule: send \`resultsPerHour\`.

${table(
  ['test', 'results per hour', 'source'],
  tests.flatMap(({ key, schedule }) =>
    schedule === undefined ? [] : [[code(key), String(schedule.resultsPerHour), schedule.source]],
  ),
)}
## Metrics

Each metric has a view \`metric_<key>\` with one row per result. \`GET /metrics\` also shows the SQL of each. Neither of two values is \`better\` for the household where the column has a dash: data usage and the length of a route do not rate a line.

${table(
  ['key', 'name', 'unit', 'better', 'description', 'test', 'specific fields'],
  metrics.map(({ key, name, aliases, unit, better, description, test, ownFields }) => [
    [key, ...aliases].map(code).join(', '),
    name,
    unit,
    better ?? '–',
    description,
    code(test),
    ownFields.join(', '),
  ]),
)}
## Fields for splits and filters

Standard fields are available for every test that has the column; metric fields only for the metrics that list them. The custom metadata keys of an organisation are fields too. \`set\`, a [named set of agents](loading.md#sets-of-agents), is a filter of every metric, not a split.

${table(
  ['id', 'name', 'description', 'kind', 'source'],
  [...standardFields, ...metricFields].map((field) => [
    code(field.name),
    field.label,
    field.description,
    standardFields.includes(field) ? 'standard' : 'metric',
    sourceText(field),
  ]),
)}
## Methods of regulators

A method stands for [fields of reports](statistics.md#reports); \`POST /metric_data/explain\` shows them.

${table(
  ['key', 'name', 'description', 'source'],
  methods.map(({ key, name, description, source }) => [code(key), name, description, source]),
)}
## Aggregations

${table(
  ['key', 'label', 'bucket'],
  Object.entries(aggregations).map(([key, definition]) => [
    code(key),
    definition.label,
    'bucket' in definition ? code(definition.bucket) : 'one bucket',
  ]),
)}
## Statistics of a point

[statistics.md](statistics.md) has the exact definitions.

${table(
  ['name', 'description'],
  statistics.map(({ name, description }) => [code(name), description]),
)}`;
}

function sourceText({ source }: Field): string {
  return source.kind === 'column' ? `column ${code(source.column)}` : 'metadata as of the result';
}

function code(text: string): string {
  return `\`${text}\``;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('');
}
