import { parseDocument, type Document } from 'yaml';
import { aggregationKeys } from '../services/catalog/aggregations.ts';
import { percentileNumbers, statistics, type Statistic } from '../services/catalog/statistics.ts';

/** Fills in the parts of the query contract that the catalogue defines: aggregations, statistics. */
export function filledContract(text: string): string {
  const document = parseDocument(text);
  const schema = (name: string, ...path: string[]) => ['components', 'schemas', name, ...path];
  document.setIn(schema('Aggregation', 'enum'), listNode(document, aggregationKeys));
  const point = schema('AggregatedPoint', 'properties');
  const [mean, ...others] = statistics;
  const properties = {
    ...(mean === undefined ? {} : { [mean.name]: statisticSchema(mean) }),
    dtime: document.getIn([...point, 'dtime']),
    aggregatedNumber: document.getIn([...point, 'aggregatedNumber']),
    ...Object.fromEntries(others.map((statistic) => [statistic.name, statisticSchema(statistic)])),
    percentiles: {
      type: 'object',
      description: `Percentiles, linearly interpolated; keys ${percentileNumbers.join(', ')}.`,
      additionalProperties: { type: 'number', nullable: true },
    },
  };
  document.setIn(point, document.createNode(properties));
  document.setIn(
    schema('AggregatedPoint', 'required'),
    listNode(document, [...statistics.map(({ name }) => name), 'percentiles']),
  );
  return document.toString({ lineWidth: 0 });
}

function statisticSchema({ kind, description }: Statistic) {
  return kind === 'integer'
    ? { type: 'integer', description }
    : { type: 'number', nullable: true, description };
}

function listNode(document: Document, items: readonly string[]) {
  return document.createNode(items, { flow: true });
}
