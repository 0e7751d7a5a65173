import type { Field } from '../../../catalog/field.ts';
import type { Metric } from '../../../catalog/metric.ts';
import { testTable } from '../../../catalog/test-tables.ts';
import type { Problems } from '../../../shared/errors/problems.ts';
import type { MetricFilter, TimeRange } from '../metric-query.ts';
import { clockOf } from '../parse-clock.ts';
import { isObject, type Json, warnOfUnknownFields } from '../request-body.ts';
import type { Coverage } from './report.ts';

export interface CoverageContext {
  readonly metric: Metric | null;
  readonly splits: readonly Field[];
  readonly filters: readonly MetricFilter[];
  readonly times: readonly TimeRange[];
  readonly now: Date;
}

/** One result per second: more are not a schedule. */
const maxPerHour = 3_600;
const example = '{ "resultsPerHour": 0.5 }';

/** `true` for the schedule of the test in the catalogue, or an object with results per hour. */
export function parseCoverage(
  request: Json,
  context: CoverageContext,
  problems: Problems,
): Coverage | null {
  const { coverage } = request;
  if (coverage === undefined || coverage === null || coverage === false) return null;
  const resultsPerHour =
    coverage === true ? schedule(context, problems) : perHour(coverage, problems);
  reportCombinations(request, context, problems);
  return resultsPerHour === null
    ? null
    : { resultsPerHour, untilUtc: clockOf(context.now.getTime()) };
}

function schedule({ metric }: CoverageContext, problems: Problems): number | null {
  if (metric === null) return null;
  const scheduled = testTable(metric.test).schedule;
  return (
    scheduled?.resultsPerHour ??
    problems.add('coverage', `The test ${metric.test} has no schedule. Send ${example}.`)
  );
}

function perHour(coverage: unknown, problems: Problems): number | null {
  if (!isObject(coverage)) return problems.add('coverage', `Send true, or ${example}.`);
  warnOfUnknownFields(coverage, ['resultsPerHour'], 'coverage', problems.warnings);
  const { resultsPerHour } = coverage;
  const isValid =
    typeof resultsPerHour === 'number' && resultsPerHour > 0 && resultsPerHour <= maxPerHour;
  if (isValid) return resultsPerHour;
  const allowed = `a number above 0 and up to ${maxPerHour.toLocaleString('en')}`;
  return problems.add('coverage[resultsPerHour]', `Send ${allowed}.`);
}

/** What is expected is known for agents and their metadata, not for results. */
function reportCombinations(request: Json, context: CoverageContext, problems: Problems): void {
  const refuse = (rule: string) => problems.add('coverage', rule);
  const isSent = (name: string) => request[name] !== undefined && request[name] !== null;
  for (const name of ['overBuckets', 'knownAt'].filter(isSent)) refuse(`Not with ${name}.`);
  const fields = [...context.splits, ...context.filters.map(({ field }) => field)];
  const ofResults = fields.filter(({ source }) => source.kind === 'column');
  for (const name of new Set(ofResults.map((field) => field.name))) {
    refuse(
      `Not with a split or filter by ${name}, which results have. Use isp, package, country or custom fields.`,
    );
  }
  const hasInstant = context.times.some(({ from, to }) =>
    [from, to].some(({ kind }) => kind === 'instant'),
  );
  if (context.times.length > 1 && hasInstant) {
    refuse('With several ranges, send local times in all of them, such as "2026-01-31 13:00".');
  }
}
