import {
  changeNumbers,
  comparisonColumn,
  differenceNumbers,
  householdCounts,
} from '../../../catalog/comparison.ts';
import { findMetric } from '../../../catalog/metrics.ts';
import { coverageColumn, householdIntervals, statistics } from '../../../catalog/statistics.ts';
import type { MetricPoint, Point } from '../../../../openapi/client/index.ts';
import { shortNumber, unitText } from '../dom/number-text.ts';
import { partWords } from '../series/comparison-words.ts';
import { reasonWords } from '../series/difference.ts';
import { isAggregated } from '../series/series.ts';
import type { QueryResponse } from './query-response.ts';

export type Cell = string | number | null;

export interface Column {
  /** Column name in the CSV file. */
  readonly name: string;
  readonly title: string;
  readonly isNumber: boolean;
  readonly of: (point: Point) => Cell;
}

/** The columns of the CSV file: those that the view draws come first. */
export function tableColumns({
  query,
  report,
  aggregation,
  metric,
  series,
  splitNames,
}: QueryResponse): readonly Column[] {
  const first = series[0]?.points[0];
  const unit = metric.unit === '' ? '' : `, ${unitText(metric.unit)}`;
  const splits = query.splits.map((name, i) => plain(name, splitNames[i] ?? name));
  if (first === undefined || !isAggregated(first)) {
    return [
      ...splits,
      plain('dtime', 'Local time'),
      plain('agent', 'Agent'),
      plain('unit', 'Unit'),
      number('metricValue', `Value${unit}`),
    ];
  }
  const hasHouseholdValues =
    query.agentAgg || query.view === 'threshold' || report.of('statistic') !== undefined;
  const percentiles = Object.keys(first.percentiles).sort((a, b) => Number(a) - Number(b));
  const shares = [
    ...shareColumns(first, 'shares', 'share', 'or above'),
    ...shareColumns(first, 'sharesAtMost', 'shareAtMost', 'or below'),
  ];
  const isOfShares = query.view === 'threshold';
  return [
    ...splits,
    ...(first.dtime === undefined ? [] : [plain('dtime', 'Local time'), partialColumn]),
    ...(first.aggregatedNumber === undefined
      ? []
      : [number('aggregatedNumber', hourOrDay(aggregation))]),
    ...(isOfShares ? shares : []),
    number('metricValue', `${findMetric(metric.key)?.stored ? 'Mean, or median' : 'Mean'}${unit}`),
    ...comparisonColumns(first, unit),
    ...(isOfShares ? [] : shares),
    ...intervalsOf(first),
    ...statistics
      .filter(({ name }) => name !== 'metricValue')
      .map(({ name }) => number(name, titleOf(name, hasHouseholdValues))),
    ...reportColumns(first),
    ...percentiles.map((key) =>
      nested(`p${key}`, key === '50' ? 'Median (p50)' : `p${key}`, 'percentiles', key),
    ),
  ];
}

function titleOf(name: string, hasHouseholdValues: boolean): string {
  const [, percent] = /^ci(\d+)$/.exec(name) ?? [];
  if (percent === undefined) return columnTitles[name] ?? name;
  return `± ${percent}% (${hasHouseholdValues ? 'households' : 'results'})`;
}

/** Readable column names; the CSV file has the API's names. */
const columnTitles: Readonly<Record<string, string>> = {
  stdDev: 'Standard deviation',
  sampleCount: 'Results',
  agentCount: 'Households',
  unitCount: 'Units',
  min: 'Lowest',
  max: 'Highest',
  median: 'Median',
};

const partialColumn: Column = {
  name: 'partial',
  title: 'Partial',
  isNumber: false,
  of: (point) => (point.partial === true ? 'yes' : null),
};

/** Only in responses to requests that ask for them. */
function intervalsOf(first: Point): readonly Column[] {
  return householdIntervals
    .filter(({ name }) => name in first)
    .map(({ name }) => number(name, `± ${name.slice(-2)}% (households)`));
}

/** Each share with the bounds of its interval. */
function shareColumns(
  first: MetricPoint,
  group: 'shares' | 'sharesAtMost',
  prefix: string,
  side: string,
): readonly Column[] {
  return Object.keys(first[group] ?? {})
    .sort((a, b) => Number(a) - Number(b))
    .flatMap((key) => {
      const title = `Share at ${side} ${shortNumber(Number(key))}`;
      const ends = first[`${group}Ci95`] === undefined ? [] : ['Low', 'High'];
      return [
        nested(`${prefix}${key}`, title, group, key),
        ...ends.map((end, i) =>
          nested(
            `${prefix}${key}Ci95${end}`,
            `${title}, 95% ${end.toLowerCase()}`,
            `${group}Ci95`,
            key,
            i,
          ),
        ),
      ];
    });
}

/** Both sides, their difference, its interval and what it consists of. */
function comparisonColumns(first: MetricPoint, unit: string): readonly Column[] {
  if (first.difference === undefined) return [];
  const of = (group: string, name: string, title: string) =>
    nested(comparisonColumn(group, name), title, group, name);
  return [
    of('compared', 'metricValue', `Compared mean${unit}`),
    ...differenceNumbers.map(({ name }) =>
      of('difference', name, differenceTitles[name]?.(unit) ?? `Difference ${name}`),
    ),
    ...['Low', 'High'].map((end, i) =>
      nested(
        `differenceMedianCi95${end}`,
        `Difference of medians, 95% ${end.toLowerCase()}`,
        'difference',
        'medianCi95',
        i,
      ),
    ),
    {
      name: 'differenceReason',
      title: 'Why not tested',
      isNumber: false,
      of: (point) => {
        const reason = (point as MetricPoint).difference?.reason;
        return reason == null ? null : reasonWords[reason];
      },
    },
    ...householdCounts.map(({ name }) => of('households', name, householdTitles[name] ?? name)),
    ...(first.change === undefined
      ? []
      : changeNumbers.map(({ name }) => of('change', name, partWords[name] ?? name))),
    of('compared', 'sampleCount', 'Compared results'),
    of('compared', 'agentCount', 'Compared households'),
  ];
}

const differenceTitles: Readonly<Record<string, (unit: string) => string>> = {
  metricValue: (unit) => `Difference${unit}`,
  percent: () => 'Difference, %',
  ci90: () => 'Difference ± 90%',
  ci95: () => 'Difference ± 95%',
  ci99: () => 'Difference ± 99%',
  p: () => 'p',
  pAdjusted: () => 'p adjusted',
  df: () => 'Degrees of freedom',
  median: (unit) => `Difference of medians${unit}`,
};

const householdTitles: Readonly<Record<string, string>> = {
  both: 'Households on both sides',
  onlyHere: 'Households only here',
  onlyThere: 'Households only there',
};

const coverageTitles: Readonly<Record<string, string>> = {
  expected: 'Results expected',
  received: 'Results received',
  agents: 'Households expected',
  reporting: 'Households reporting',
  share: 'Share of households reporting',
};

const leftOutTitles: Readonly<Record<string, string>> = {
  resultsOfSwitchers: 'Results of switchers, left out',
  resultsExcluded: 'Results excluded',
  resultsWithoutField: 'Results without the field of the percentage',
  resultsWithoutWeight: 'Results without a weight',
  resultsTrimmed: 'Results trimmed',
  householdsBelowMinimum: 'Households below the minimum',
  householdsWithoutValue: 'Households without a value',
};

/** What only reports have, and only if they were asked for it. */
function reportColumns(first: MetricPoint): readonly Column[] {
  const has = (name: string) => name in first;
  const single: readonly (readonly [string, string])[] = [
    ['consistent', 'Consistent'],
    ['effectiveHouseholds', 'Effective households'],
    ['designEffect', 'Design effect'],
    ['maskedCount', 'Masked'],
  ];
  return [
    ...(has('medianCi95')
      ? ['Low', 'High'].map((end, i) =>
          nested(`medianCi95${end}`, `Median, 95% ${end.toLowerCase()}`, 'medianCi95', i),
        )
      : []),
    ...single.filter(([name]) => has(name)).map(([name, title]) => number(name, title)),
    ...Object.keys(first.coverage ?? {}).map((key) =>
      nested(coverageColumn(key), coverageTitles[key] ?? key, 'coverage', key),
    ),
    ...Object.keys(first.leftOut ?? {}).map((key) =>
      nested(key, leftOutTitles[key] ?? key, 'leftOut', key),
    ),
    ...(has('suppressed')
      ? [
          {
            name: 'suppressed',
            title: 'Suppressed',
            isNumber: false,
            of: (point: Point) => ((point as MetricPoint).suppressed === true ? 'yes' : null),
          },
        ]
      : []),
  ];
}

function plain(name: string, title: string): Column {
  return { name, title, isNumber: false, of: (point) => (point[name] ?? null) as Cell };
}

function number(name: string, title: string): Column {
  return { ...plain(name, title), isNumber: true };
}

/** A number within an object or a list of a point. */
function nested(name: string, title: string, ...path: readonly (string | number)[]): Column {
  const of = (point: Point) => {
    let value: unknown = point;
    for (const key of path) value = (value as Record<string | number, unknown> | undefined)?.[key];
    return (value ?? null) as Cell;
  };
  return { name, title, isNumber: true, of };
}

function hourOrDay(aggregation: string): string {
  return `${aggregation.replaceAll('_', ' ')}, local`;
}
