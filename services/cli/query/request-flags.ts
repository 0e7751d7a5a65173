import type { MetricQuery } from '../../../openapi/client/index.ts';
import { wholeNumber } from '../arguments.ts';
import { UsageError } from '../command.ts';
import { parseFilters } from './parse-filters.ts';
import { parseDays, parseHours } from './parse-window.ts';

/** The options of `netpanel query` that are fields of the request. */
export const requestOptions = {
  metric: { type: 'string' },
  aggregation: { type: 'string', short: 'a' },
  raw: { type: 'boolean' },
  split: { type: 'string', short: 's', multiple: true },
  filter: { type: 'string', short: 'f', multiple: true },
  from: { type: 'string' },
  to: { type: 'string' },
  days: { type: 'string' },
  hours: { type: 'string' },
  outside: { type: 'boolean' },
  normalised: { type: 'boolean' },
  'no-prefilter': { type: 'boolean' },
  household: { type: 'string' },
  'household-intervals': { type: 'boolean' },
  'relative-to': { type: 'string' },
  method: { type: 'string' },
  'min-agents': { type: 'string' },
  'known-at': { type: 'string' },
} as const;

export interface RequestFlags {
  readonly metric?: string | undefined;
  readonly aggregation?: string | undefined;
  readonly raw?: boolean | undefined;
  readonly split?: readonly string[] | undefined;
  readonly filter?: readonly string[] | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly days?: string | undefined;
  readonly hours?: string | undefined;
  readonly outside?: boolean | undefined;
  readonly normalised?: boolean | undefined;
  readonly 'no-prefilter'?: boolean | undefined;
  readonly household?: string | undefined;
  readonly 'household-intervals'?: boolean | undefined;
  readonly 'relative-to'?: string | undefined;
  readonly method?: string | undefined;
  readonly 'min-agents'?: string | undefined;
  readonly 'known-at'?: string | undefined;
}

/** What is not in the flags of a request without a file. */
const defaults = {
  chartType: 'aggregate',
  aggregation: 'daily',
  normalised: false,
  prefilter: true,
  time: { from: '-7 days', to: 'now' },
} as const;

/** The request body: the file or the defaults, with the fields of the flags. The service validates it. */
export function metricRequest(flags: RequestFlags, file: object | undefined): MetricQuery {
  const base: Readonly<Record<string, unknown>> =
    file === undefined ? { ...defaults } : { ...file };
  if (file === undefined && flags.metric === undefined) {
    throw new UsageError('METRIC is missing: name one, or send a request with --file');
  }
  if (flags.raw === true && flags.aggregation !== undefined) {
    throw new UsageError('--raw and --aggregation exclude each other: raw data is not aggregated');
  }
  return { ...base, ...fieldsOf(flags, base) } as MetricQuery;
}

function fieldsOf(flags: RequestFlags, base: Readonly<Record<string, unknown>>): object {
  const { split, filter, household } = flags;
  const floor = flags['min-agents'];
  return given({
    metric: flags.metric,
    ...chartType(flags),
    splits: split?.flatMap((text) => text.split(',')).map((text) => text.trim()),
    filters: filter && parseFilters(filter),
    time: partOf(base.time, { from: flags.from, to: flags.to }),
    window: windowOf(flags, base.window),
    normalised: flags.normalised,
    prefilter: flags['no-prefilter'] === true ? false : undefined,
    household: household === undefined ? undefined : { statistic: household },
    householdIntervals: flags['household-intervals'],
    relativeTo: flags['relative-to'],
    method: flags.method,
    minAgents: floor === undefined ? undefined : wholeNumber(floor, 'min-agents'),
    knownAt: flags['known-at'],
  });
}

function chartType({ raw, aggregation }: RequestFlags): object {
  if (raw === true) return { chartType: 'raw', aggregation: null };
  return aggregation === undefined ? {} : { chartType: 'aggregate', aggregation };
}

function windowOf({ days, hours, outside }: RequestFlags, inFile: unknown): object | undefined {
  if (outside === true && days === undefined && hours === undefined && inFile === undefined) {
    throw new UsageError('--outside needs --days or --hours');
  }
  return partOf(inFile, {
    days: days === undefined ? undefined : parseDays(days),
    hours: hours === undefined ? undefined : parseHours(hours),
    invert: outside,
  });
}

/** The object of the file with the given fields changed; undefined if none is given. */
function partOf(inFile: unknown, fields: Readonly<Record<string, unknown>>): object | undefined {
  const changes = given(fields);
  if (Object.keys(changes).length === 0) return undefined;
  return { ...(inFile as object | undefined), ...changes };
}

function given(fields: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
