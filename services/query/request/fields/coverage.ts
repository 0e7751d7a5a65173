import { testTable } from '../../../catalog/test-tables.ts';
import { clockOf } from '../parse-clock.ts';
import type { Json } from '../request-body.ts';
import type { FieldsOf, ReportScope } from './report-field.ts';
import { object } from './shapes.ts';

export interface CoverageFields {
  readonly coverage?: Coverage;
}

/** How many results were expected of how many agents. */
export interface Coverage {
  /** Of one agent. */
  readonly resultsPerHour: number;
  /** The time of the request in UTC, `2026-01-31 13:00:00`: later results are not expected. */
  readonly untilUtc: string;
}

/** One result per second: more are not a schedule. */
const maxPerHour = 3_600;
const example = '{ "resultsPerHour": 0.5 }';

const fields = {
  resultsPerHour: {
    schema: { type: 'number', exclusiveMinimum: 0, maximum: maxPerHour },
    about:
      'Results that one agent is expected to have per hour. Default: the schedule of the test in the catalogue; a test without one needs it.',
  },
} as const;

export const coverageFields = {
  coverage: {
    component: 'Coverage',
    ...object(fields, `Send {}, or ${example}.`, parseCoverage),
    about:
      'Adds `coverage` to each point: how many results were expected of how many agents, and how many came. Not with `knownAt`, `overBuckets`, or splits and filters by fields of results. Defined in docs/statistics.md.',
    example: { resultsPerHour: 0.5 },
    inFull: (value) => {
      if (value === true) return {};
      return value === false ? null : value;
    },
    check: reportCombinations,
  },
} satisfies FieldsOf<CoverageFields>;

/** `{}` for the schedule of the test in the catalogue, or an object with results per hour. */
function parseCoverage(coverage: Json, _path: string, scope: ReportScope): Coverage | null {
  const resultsPerHour = perHour(coverage.resultsPerHour, scope);
  if (resultsPerHour === null) return null;
  return { resultsPerHour, untilUtc: clockOf(scope.now.getTime()) };
}

function perHour(sent: unknown, { metric, problems }: ReportScope): number | null {
  if (sent !== undefined) {
    if (typeof sent === 'number' && sent > 0 && sent <= maxPerHour) return sent;
    const allowed = `a number above 0 and up to ${maxPerHour.toLocaleString('en')}`;
    return problems.add('coverage[resultsPerHour]', `Send ${allowed}.`);
  }
  if (metric === null) return null;
  const scheduled = testTable(metric.test).schedule;
  return (
    scheduled?.resultsPerHour ??
    problems.add('coverage', `The test ${metric.test} has no schedule. Send ${example}.`)
  );
}

/** What is expected is known for agents and their metadata, not for results. */
function reportCombinations(
  _value: unknown,
  { request, splits, filters, times, problems }: ReportScope,
): void {
  if (request.coverage === undefined) return;
  const refuse = (rule: string) => problems.add('coverage', rule);
  const isSent = (name: string) => request[name] !== undefined;
  for (const name of ['overBuckets', 'knownAt'].filter(isSent)) refuse(`Not with ${name}.`);
  const fieldsOfRequest = [...splits, ...filters.map(({ field }) => field)];
  const ofResults = fieldsOfRequest.filter(({ source }) => source.kind === 'column');
  for (const name of new Set(ofResults.map((field) => field.name))) {
    refuse(
      `Not with a split or filter by ${name}, which results have. Use isp, package, country or custom fields.`,
    );
  }
  const hasInstant = times.some(({ from, to }) =>
    [from, to].some(({ kind }) => kind === 'instant'),
  );
  if (times.length > 1 && hasInstant) {
    refuse('With several ranges, send local times in all of them, such as "2026-01-31 13:00".');
  }
}
