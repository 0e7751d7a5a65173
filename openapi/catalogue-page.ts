import { aggregations } from '../services/catalog/aggregations.ts';
import type { Field } from '../services/catalog/field.ts';
import { metricFields, standardFields } from '../services/catalog/fields.ts';
import { methods } from '../services/catalog/methods.ts';
import { metrics } from '../services/catalog/metrics.ts';
import { columnDeclaration } from '../services/catalog/test-columns.ts';
import { commonColumns, testTables } from '../services/catalog/test-tables.ts';

const tests = Object.values(testTables);
const phones = tests.filter(({ agents }) => agents === 'mobile').map(({ columns }) => columns);
/** The columns that every test of phones has. */
const phoneColumns = phones.reduce((common, columns) =>
  common.filter((name) => columns.includes(name)),
);

/** Where the columns of a test with many similar ones are described. */
const elsewhere: Readonly<Record<string, string>> = {
  panel: '[published panels](panels.md#the-test-panel)',
  cells: '[published percentiles](panels.md#published-percentiles)',
};

/** docs/catalogue.md: every test, metric, field, method and aggregation. */
export function cataloguePage(): string {
  return `# Catalogue

Generated from \`services/catalog\` by \`make generate\`. \`GET /tests\`, \`/metrics\`, \`/splits\` and \`/filters\` list what is available to an organisation. \`/docs\` of the service describes the fields of a request, \`netpanel help query\` its options, and [statistics](statistics.md) defines the numbers of a response.

## Tests

Each test has a table \`test_<key>\` with every row and a view \`results_<key>\` with one row per result. Tests of phones also have the columns ${phoneColumns.join(', ')}.

${table(
  ['key', 'agents', 'description', 'columns'],
  tests.map(({ key, agents, description, columns }) => [
    code(key),
    agents,
    description,
    elsewhere[key] ??
      columns.filter((name) => agents !== 'mobile' || !phoneColumns.includes(name)).join(', '),
  ]),
)}
### Columns

A column has the same type in all tests.

${table(
  ['column', 'type', 'description'],
  columnsInUse().map((name) => {
    const { type, comment = '' } = columnDeclaration(name);
    return [code(name), type.replace(/^LowCardinality\((.*)\)$/, '$1'), comment];
  }),
)}
### Schedules

How many results \`"coverage": {}\` expects of an agent. For tests without a schedule send \`resultsPerHour\`.

${table(
  ['test', 'results per hour', 'source'],
  tests.flatMap(({ key, schedule }) =>
    schedule === undefined ? [] : [[code(key), String(schedule.resultsPerHour), schedule.source]],
  ),
)}
## Metrics

Each metric has a view \`metric_<key>\` with one row per result. \`GET /metrics\` also returns the SQL of each. A dash in the column \`better\` means that neither higher nor lower values are better.

${table(
  ['key', 'name', 'unit', 'better', 'description', 'test', 'specific fields'],
  metrics
    .filter(({ test }) => test !== 'panel')
    .map(({ key, name, aliases, unit, better, description, test, ownFields }) => [
      [key, ...aliases].map(code).join(', '),
      name,
      unit,
      better ?? '–',
      description,
      code(test),
      ownFields.join(', '),
    ]),
)}
### Published averages

The metrics of the test \`panel\`: the average of a unit over a period, as a regulator publishes it. Those that end in \`Busy\` are of the busy hours, the others of all hours, or of the hours of the local day in the key.

${table(['key', 'name', 'unit', 'better', 'the prefilter keeps'], publishedAverages())}
## Fields for splits and filters

Fields without a column are metadata as of the result. They are available for every metric, fields of a column for every test that has the column, and the last group only for the [metrics](#metrics) that list them as specific fields. The custom metadata keys of an organisation are fields too. \`set\`, a [named set of agents](loading.md#sets-of-agents), is a filter and not a split.

${table(
  ['id', 'description', 'column'],
  [...standardFields, ...metricFields].map((field) => [
    code(field.name),
    field.description,
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
)}`;
}

/** A metric and the same in busy hours are one row. */
function publishedAverages(): readonly (readonly string[])[] {
  const published = metrics.filter(({ test }) => test === 'panel');
  const keys = published.map(({ key }) => key);
  return published
    .filter(({ key }) => !(key.endsWith('Busy') && keys.includes(key.replace(/Busy$/, ''))))
    .map(({ key, aliases, name, unit, better, description }) => [
      [key, `${key}Busy`, ...aliases]
        .filter((one) => keys.includes(one) || aliases.includes(one))
        .map(code)
        .join(', '),
      name.replace(/, published$/, ''),
      unit,
      better ?? '–',
      description.replace(/^.*The prefilter keeps (.*)\.$/, '$1'),
    ]);
}

function columnsInUse(): readonly string[] {
  const described = tests.filter(({ key }) => elsewhere[key] === undefined);
  return [...new Set([...commonColumns, ...described.flatMap(({ columns }) => columns)])];
}

function sourceText({ source }: Field): string {
  return source.kind === 'column' ? code(source.column) : '';
}

function code(text: string): string {
  return `\`${text}\``;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('');
}
