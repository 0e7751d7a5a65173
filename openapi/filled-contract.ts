import { isMap, isScalar, isSeq, type Node, parseDocument, type Scalar, visit } from 'yaml';
import { comparisonReasons, differenceNumbers } from '../services/catalog/comparison.ts';
import {
  comparisonColumns,
  percentileNumbers,
  type ReportColumn,
  reportColumns,
  statistics,
  type Statistic,
} from '../services/catalog/statistics.ts';
import { requestSchemas } from './request-schemas.ts';

/** Fills in the parts of the query contract that are declared elsewhere: the fields of requests, and statistics. */
export function filledContract(text: string): string {
  const document = parseDocument(text);
  const schema = (name: string, ...path: string[]) => ['components', 'schemas', name, ...path];
  for (const [name, body] of Object.entries(requestSchemas())) {
    const node = document.createNode(body, { aliasDuplicateObjects: false });
    document.setIn(schema(name), withShortLines(node));
  }
  const point = schema('MetricPoint', 'properties');
  const { metricValue, ...others } = Object.fromEntries(
    statistics.map((statistic) => [statistic.name, statisticSchema(statistic)]),
  );
  const percentiles = {
    type: 'object',
    description: `Percentiles, linearly interpolated; keys ${percentileNumbers.join(', ')}.`,
    additionalProperties: { type: ['number', 'null'] },
  };
  const kept = (name: string) => ({ [name]: document.getIn([...point, name]) });
  const properties = {
    metricValue,
    ...kept('dtime'),
    ...kept('aggregatedNumber'),
    ...kept('partial'),
    ...others,
    percentiles,
    ...propertiesOf([...reportColumns, ...comparisonColumns]),
    ...kept('agent'),
    ...kept('unit'),
    ...kept('bucketShare'),
    ...kept('bucketCount'),
  };
  const nodeOf = (value: object) => document.createNode(value, { aliasDuplicateObjects: false });
  document.setIn(point, nodeOf(properties));
  document.setIn(schema('ComparedPoint'), nodeOf(comparedPoint(percentiles)));
  return document.toString({ lineWidth: 0 });
}

/** Lists of texts, references and examples in braces. Prettier breaks those that are too long. */
function withShortLines<T extends Node>(node: T): T {
  visit(node, {
    Seq: (_key, list) => {
      list.flow ??= list.items.every((item) => isScalar(item));
    },
    Pair: (_key, { key, value }) => {
      if (isMap(value) && value.has('$ref')) value.flow = true;
      if (!isScalar(key) || key.value !== 'examples' || !isSeq(value)) return;
      value.flow = true;
      // YAML 1.1 takes 2026-01-31 13:00:00 for a timestamp.
      for (const item of value.items) if (isText(item)) item.type = 'QUOTE_SINGLE';
    },
  });
  return node;
}

function isText(node: unknown): node is Scalar<string> {
  return isScalar(node) && typeof node.value === 'string';
}

function propertiesOf(columns: readonly ReportColumn[]) {
  return Object.fromEntries(columns.map((column) => [column.name, columnSchema(column)]));
}

/** The numbers of a point, whose descriptions are those of `MetricPoint`. */
function comparedPoint(percentiles: object) {
  const properties = {
    ...Object.fromEntries(statistics.map((one) => [one.name, statisticSchema(one)])),
    percentiles,
    ...propertiesOf(reportColumns),
  };
  const types = Object.entries(properties).map(
    ([name, schema]) => [name, { ...schema, description: undefined }] as const,
  );
  return {
    type: 'object',
    description: 'The numbers of the other side of a comparison, as in `MetricPoint`.',
    properties: { dtime: { type: 'string' }, ...Object.fromEntries(types) },
  };
}

function columnSchema({ kind, description }: ReportColumn) {
  if (kind === undefined) return { type: ['number', 'null'], description };
  if (kind === 'boolean') return { type: kind, description };
  if (kind === 'interval') return { ...bounds, description };
  if (kind === 'intervals') return { type: 'object', description, additionalProperties: bounds };
  if (kind === 'point') {
    return { allOf: [{ $ref: '#/components/schemas/ComparedPoint' }], description };
  }
  if (kind === 'difference') return { ...difference, description };
  const type = kind === 'numbers' ? 'number' : 'integer';
  return { type: 'object', description, additionalProperties: { type: [type, 'null'] } };
}

const bounds = {
  type: 'array',
  minItems: 2,
  maxItems: 2,
  items: { type: ['number', 'null'] },
};

const number = { type: ['number', 'null'] };

const difference = {
  type: 'object',
  properties: {
    ...Object.fromEntries(differenceNumbers.map(({ name }) => [name, number])),
    medianCi95: bounds,
    reason: { type: ['string', 'null'], enum: [...Object.keys(comparisonReasons), null] },
  },
};

/** Null for a point without values: a suppressed one, for example. */
function statisticSchema({ kind, description }: Statistic) {
  return { type: [kind, 'null'], description };
}
