import { parseDocument, type Document } from 'yaml';
import { aggregationKeys } from '../services/catalog/aggregations.ts';
import { methods } from '../services/catalog/methods.ts';
import {
  coverageNumbers,
  householdIntervals,
  percentileNumbers,
  statistics,
  type Statistic,
} from '../services/catalog/statistics.ts';

/** Fills in the parts of the query contract that the catalogue defines: aggregations, methods, statistics. */
export function filledContract(text: string): string {
  const document = parseDocument(text);
  const schema = (name: string, ...path: string[]) => ['components', 'schemas', name, ...path];
  document.setIn(schema('Aggregation', 'enum'), listNode(document, aggregationKeys));
  const methodKeys = document.createNode([...methods.map(({ key }) => key), null], { flow: true });
  document.setIn(schema('Method', 'enum'), methodKeys);
  const point = schema('AggregatedPoint', 'properties');
  const [mean, ...others] = statistics;
  const properties = {
    ...(mean === undefined ? {} : { [mean.name]: statisticSchema(mean) }),
    dtime: document.getIn([...point, 'dtime']),
    aggregatedNumber: document.getIn([...point, 'aggregatedNumber']),
    partial: document.getIn([...point, 'partial']),
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
  document.setIn(
    schema('ReportPoint', 'properties'),
    document.createNode(reportProperties(properties)),
  );
  document.setIn(
    schema('ReportPoint', 'required'),
    listNode(document, [...statistics.map(({ name }) => name), 'percentiles']),
  );
  return document.toString({ lineWidth: 0 });
}

/** The columns of an aggregated point, which may be null, and those that only reports have. */
function reportProperties(aggregated: object) {
  const numbers = { type: 'number', nullable: true };
  return {
    ...Object.fromEntries(
      Object.entries(aggregated).map(([name, property]) => [
        name,
        isStatistic(name) ? { ...(property as object), nullable: true } : property,
      ]),
    ),
    ...Object.fromEntries(
      householdIntervals.map(({ name, description }) => [name, { ...numbers, description }]),
    ),
    consistent: { ...numbers, description: 'The percentile of percentiles of `consistent`.' },
    shares: {
      type: 'object',
      description: 'Share of households or results at or above each threshold, from 0 to 1.',
      additionalProperties: { ...numbers },
    },
    leftOut: {
      type: 'object',
      description:
        'What is not in the numbers, by reason: `resultsOfSwitchers`, `resultsExcluded` (if a household is excluded from metrics), `resultsWithoutField` (of `relativeTo`), `resultsWithoutWeight`, `resultsTrimmed`, `householdsBelowMinimum` (with `minResults` or `minDays`), `householdsWithoutValue` (only rows without a value, such as failed tests).',
      additionalProperties: { type: 'integer', nullable: true },
    },
    coverage: {
      type: 'object',
      description: `With \`coverage\`: ${coverageNumbers.map(({ name, description }) => `\`${name}\`, ${description}`).join('; ')}.`,
      additionalProperties: { ...numbers },
    },
    suppressed: {
      type: 'boolean',
      description:
        'Whether the point has fewer agents than `minAgents` or the privacy floor; with a floor, also whether it is suppressed so that a smaller one cannot be computed.',
    },
  };
}

function isStatistic(name: string): boolean {
  return statistics.some((statistic) => statistic.name === name);
}

function statisticSchema({ kind, description }: Statistic) {
  return kind === 'integer'
    ? { type: 'integer', description }
    : { type: 'number', nullable: true, description };
}

function listNode(document: Document, items: readonly string[]) {
  return document.createNode(items, { flow: true });
}
