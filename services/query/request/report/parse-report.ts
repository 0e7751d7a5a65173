import type { Field } from '../../../catalog/field.ts';
import { isReportColumn } from '../../../catalog/statistics.ts';
import type { Problems } from '../../../shared/errors/problems.ts';
import type { MetricQuery } from '../metric-query.ts';
import type { Json } from '../request-body.ts';
import { optionalWholeNumber } from './numbers.ts';
import { explainedMethod } from './expand-method.ts';
import { type CoverageContext, parseCoverage } from './parse-coverage.ts';
import { parseHousehold } from './parse-household.ts';
import { type NumberRanges, parseRelativeTo, parseWeight } from './parse-number-field.ts';
import { parseConsistent, parseOverBuckets, parseShares } from './parse-shares.ts';
import type { Report, Switchers } from './report.ts';

/** The fields of `Report` in a request. */
export const reportFields = [
  'household',
  'relativeTo',
  'weight',
  'shares',
  'consistent',
  'switchers',
  'minAgents',
  'householdIntervals',
  'overBuckets',
  'coverage',
] as const;

interface ReportContext extends CoverageContext {
  readonly chartType: MetricQuery['chartType'] | null;
  /** Aggregation by time, or by a part of it: there is more than one bucket. */
  readonly hasBuckets: boolean;
  readonly agentAgg: boolean;
  /** Whether the caller has a privacy floor: points have the column `suppressed`. */
  readonly hasFloor: boolean;
  readonly resolve: (name: unknown, path: string) => Field | null;
  readonly ranges: NumberRanges;
  readonly hasKnownAt: boolean;
}

/** Undefined if the request has none of the fields. Reports problems. */
export function parseReport(
  request: Json,
  context: ReportContext,
  problems: Problems,
): Report | undefined {
  const sent = reportFields.filter((name) => request[name] !== undefined && request[name] !== null);
  if (sent.length === 0 && !context.hasFloor) return undefined;
  if (context.chartType === 'raw') {
    for (const name of sent) problems.add(name, 'Only with "chartType": "aggregate".');
    return undefined;
  }
  context.splits.forEach(({ name }, i) => {
    if (isReportColumn(name)) {
      problems.add(`splits[${i}]`, `A report has a column ${name}. Send "custom.${name}".`);
    }
  });
  if (sent.length === 0) return undefined;
  const given = parseHousehold(request.household, problems);
  const hasHouseholds = context.agentAgg || (request.household ?? null) !== null;
  const meanOfAgent = { statistic: { kind: 'mean' }, minResults: 0, minDays: 0 } as const;
  const household = given ?? (context.agentAgg ? meanOfAgent : null);
  const relativeTo = parseRelativeTo(request.relativeTo, hasHouseholds, context, problems);
  const weight = parseWeight(request.weight, hasHouseholds, context, problems);
  if (relativeTo === null) explainFieldOfMethod('relativeTo', request, problems);
  if (weight === null) explainFieldOfMethod('weight', request, problems);
  const shares = parseShares(request.shares, problems);
  const consistent = parseConsistent(request.consistent, problems);
  if (shares?.of === 'households' && !hasHouseholds) problems.add('shares', sharesOfWhat);
  if (shares?.of === 'results' && hasHouseholds) problems.add('shares[of]', resultsAreGone);
  if (consistent !== null && !hasHouseholds) problems.add('consistent', needsHousehold);
  const overBuckets = parseOverBuckets(request.overBuckets, problems);
  if (overBuckets !== null && !context.hasBuckets) {
    problems.add('overBuckets', 'Send an aggregation with buckets, such as "hour_of_day".');
  }
  const coverage = parseCoverage(request, context, problems);
  return {
    ...(household && { household }),
    ...(relativeTo && { relativeTo }),
    ...(weight && { weight }),
    ...(shares && { shares }),
    ...(consistent && { consistent }),
    ...(overBuckets && { overBuckets }),
    ...(coverage && { coverage }),
    switchers: parseSwitchers(request.switchers, problems),
    minAgents: optionalWholeNumber(request.minAgents, 'minAgents', problems) ?? 0,
    householdIntervals: parseHouseholdIntervals(request.householdIntervals, problems),
  };
}

const needsHousehold = 'Send household too, such as { "statistic": "mean" }.';
const sharesOfWhat = `The shares are of households. ${needsHousehold} For shares of results, send { "thresholds": [25], "of": "results" }.`;
const resultsAreGone = 'With household, a point has one value per household. Send "households".';

function parseSwitchers(switchers: unknown, problems: Problems): Switchers {
  if (switchers === undefined || switchers === null) return 'asOf';
  if (switchers === 'asOf' || switchers === 'longest' || switchers === 'drop') return switchers;
  problems.add('switchers', 'Send one of: asOf, longest, drop.');
  return 'asOf';
}

function parseHouseholdIntervals(value: unknown, problems: Problems): boolean {
  if (value === undefined || value === null || typeof value === 'boolean') return value ?? false;
  problems.add('householdIntervals', 'Send true or false.');
  return false;
}

/** The caller did not send the field that was refused: its method did. */
function explainFieldOfMethod(
  name: 'relativeTo' | 'weight',
  request: Json,
  problems: Problems,
): void {
  const method = explainedMethod(request);
  const field = method?.fields[name];
  if (method === undefined || typeof field !== 'string' || field !== request[name]) return;
  const use = name === 'relativeTo' ? 'divides by' : 'weights by';
  problems.add(
    'method',
    `${method.key} ${use} ${field}. Load it for your agents, or send ${name}: another field, or null for none.`,
  );
}
