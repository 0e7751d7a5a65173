import { aggregationDefinition } from '../../../catalog/aggregations.ts';
import { type BucketShift, pairBuckets } from '../paired-buckets.ts';
import { UsageError } from '../../../shared/errors/usage-error.ts';
import type { Json } from '../request-body.ts';
import { fieldResolver } from '../resolve-field.ts';
import type { KnownAt, LocalWindow, MetricFilter, TimeRange } from '../selection.ts';
import { readFilters } from './filter-options.ts';
import type { FieldsOf, ReportScope } from './report-field.ts';
import { knownAtFields, parseKnownAt } from './known-at.ts';
import { choice, object } from './shapes.ts';
import { parseFilters, selectionFields } from './splits-and-filters.ts';
import { parseMetricTimes, timeFields } from './time.ts';
import { readDays, readHours, windowFields } from './window.ts';

export interface CompareFields {
  readonly compare?: Comparison;
}

interface OtherFields {
  readonly times?: readonly TimeRange[];
  readonly filters?: readonly MetricFilter[];
  readonly window?: LocalWindow;
  readonly knownAt?: KnownAt;
}

/** What the points of a request are compared with. */
export interface Comparison {
  /** What the other side has in place of the fields of the request. */
  readonly there: OtherFields;
  /** `both`: only households with a value on both sides. */
  readonly agents: 'all' | 'both';
  /** All other series together. */
  readonly toRest: boolean;
  /** From the buckets of the other side to those of the request. Empty: they are the same. */
  readonly shifts: readonly BucketShift[];
}

const example = '{ "time": { "from": "2025-01-01", "to": "2025-01-31" } } or { "filters": [ … ] }';

const agents = choice('all', 'both');

const rest = {
  schema: { type: 'string', enum: ['rest'] },
  about:
    '`"rest"`: each series with all results of the other series of the response together. Not with other fields than `agents`.',
} as const;

const fields = {
  time: { ...timeFields.time, flags: {} },
  times: timeFields.times,
  filters: { ...selectionFields.filters, flags: {} },
  window: { ...windowFields.window, flags: {} },
  knownAt: { ...knownAtFields.knownAt, flags: {} },
  to: rest,
  agents: {
    component: 'ComparedAgents',
    ...agents,
    default: 'all',
    about: '`both`: per point only households that have a value on both sides.',
  },
} as const;

/** The fields of which one is needed. */
const replaced = ['time', 'times', 'filters', 'window', 'knownAt'] as const;
const oneOfThem = `${replaced.join(', ')} or "to": "rest"`;

export const compareFields = {
  compare: {
    component: 'Compare',
    ...object(fields, `Send an object, such as ${example}.`, parseCompare),
    about:
      'Compares each point with that of the same request with these fields in place of its own: another `time` or other `times`, all `filters`, the `window`, `knownAt`; or with all other series together (`to`). Points pair by split values and bucket; buckets of another time in their order, for which both times must be whole local days with as many buckets. Adds `compared`, `difference`, `households` and, with another time, `change`. Not with `overBuckets`, `coverage` or `strata`. Defined in docs/comparisons.md.',
    example: { time: { from: '2025-10-01', to: '2025-10-31' } },
    flags: {
      'compare-time': {
        value: 'FROM/TO',
        sets: 'time',
        about: 'compare with another time, such as 2025-10-01/2025-10-31',
        read: ([text = ''], option) => readInterval(text, option),
      },
      'compare-times': {
        value: 'FROM/TO',
        sets: 'times',
        isRepeated: true,
        about: 'compare with several times together, one per option',
        read: (texts, option) => texts.map((text) => readInterval(text, option)),
      },
      'compare-window': {
        value: 'mon-fri/19-22',
        sets: 'window',
        about: 'compare with other local weekdays, hours, or both, written as --days and --hours',
        read: readWindow,
      },
      'compare-filter': {
        value: 'FIELD=VALUE',
        sets: 'filters',
        isRepeated: true,
        about: 'compare with other filters, written as --filter: the whole list',
        read: readFilters,
      },
      'compare-known-at': {
        value: 'TIME',
        sets: 'knownAt',
        about: 'compare with the metadata as it was recorded then',
      },
      'compare-to': {
        value: 'rest',
        sets: 'to',
        about: 'compare each series with all others together',
        values: rest.schema.enum,
      },
      'compare-agents': {
        value: 'all|both',
        sets: 'agents',
        about: 'both: only households that have a value on both sides',
        values: agents.schema.enum,
      },
    },
    check: reportCombinations,
  },
} satisfies FieldsOf<CompareFields>;

/** `2025-10-01/2025-10-31`, as ISO 8601 writes intervals. The service reads both times. */
function readInterval(text: string, option: string) {
  const [from = '', to = '', ...more] = text.split('/').map((time) => time.trim());
  if (from !== '' && to !== '' && more.length === 0) return { from, to };
  throw new UsageError(`--${option} must be FROM/TO, such as 2025-10-01/2025-10-31, not "${text}"`);
}

/** `mon-fri`, `19-22` or `mon-fri/19-22`. */
function readWindow([text = '']: readonly string[], option: string) {
  const parts = text.split('/').map((part) => part.trim());
  const days = parts.filter((part) => /^[a-z]/i.test(part));
  const hours = parts.filter((part) => /^\d/.test(part));
  if (days.length > 1 || hours.length > 1 || days.length + hours.length < parts.length) {
    throw new UsageError(
      `--${option} must be days, hours, or DAYS/HOURS such as mon-fri/19-22, not "${text}"`,
    );
  }
  return {
    ...(days[0] !== undefined && { days: readDays(days[0], option) }),
    ...(hours[0] !== undefined && { hours: readHours(hours[0], option) }),
  };
}

function parseCompare(compare: Json, path: string, scope: ReportScope): Comparison | null {
  const problems = scope.problems.ofPart(path);
  const sent = replaced.filter((name) => compare[name] !== undefined);
  if (compare.to !== undefined) {
    if (compare.to !== 'rest') return problems.add('to', 'Send "rest", or leave it out.');
    if (sent.length > 0) return problems.add('to', `Not with ${sent.join(', ')}.`);
  } else if (sent.length === 0) {
    return scope.problems.add(path, `Send at least one of ${oneOfThem}, such as ${example}.`);
  }
  const side = { ...scope, problems, request: compare };
  const hasTime = (compare.time ?? compare.times) !== undefined;
  const times = hasTime ? parseMetricTimes(compare, side) : undefined;
  const filters =
    compare.filters === undefined
      ? undefined
      : parseFilters({ ...side, resolve: fieldResolver(scope.metric, side) });
  const window =
    compare.window === undefined
      ? undefined
      : windowFields.window.parse(compare.window, 'window', side);
  const knownAt =
    compare.knownAt === undefined
      ? undefined
      : parseKnownAt(compare.knownAt, { ...side, knownAt: scope.comparedKnownAt });
  const kept = agents.parse(compare.agents ?? 'all', 'agents', side);
  const shifts = times === undefined ? [] : pairedBuckets(times, path, scope);
  if (window === null || knownAt === null || kept === null || shifts === null) return null;
  return {
    there: {
      ...(times && { times }),
      ...(filters && { filters }),
      ...(window && { window }),
      ...(knownAt && { knownAt }),
    },
    agents: kept,
    toRest: compare.to === 'rest',
    shifts,
  };
}

function pairedBuckets(
  times: readonly TimeRange[],
  path: string,
  { aggregation, times: own, problems }: ReportScope,
): readonly BucketShift[] | null {
  // Other problems are reported.
  if (aggregation === null || own.length === 0 || times.length === 0) return null;
  const { step } = aggregationDefinition(aggregation);
  if (step === undefined) return [];
  const paired = pairBuckets(own, times, step);
  return 'problem' in paired ? problems.add(path, paired.problem) : paired.shifts;
}

function reportCombinations(compare: Comparison | undefined, scope: ReportScope): void {
  const { request, splits, limits, filters, problems } = scope;
  if (compare === undefined) return;
  for (const name of ['overBuckets', 'coverage', 'strata']) {
    if (request[name] !== undefined) problems.add('compare', `Not with ${name}.`);
  }
  if (compare.toRest && splits.length === 0) {
    problems.add('compare[to]', 'Send splits too: the rest is all other series.');
  }
  const compared = compare.there.filters ?? [];
  const sources = new Set(splits.map(({ source }) => JSON.stringify(source)));
  for (const [i, { field }] of compared.entries()) {
    if (!sources.has(JSON.stringify(field.source))) continue;
    problems.add(
      `compare[filters][${i}][id]`,
      `Points pair by the values of ${field.name}, which is a split. Leave out the split or this filter.`,
    );
  }
  const values = [...filters, ...compared].reduce((sum, filter) => sum + filter.values.length, 0);
  if (values > limits.maxFilterValues) {
    problems.add(
      'compare[filters]',
      `${values} values in total on both sides; send at most ${limits.maxFilterValues}.`,
    );
  }
}
