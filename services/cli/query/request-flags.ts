import type { MetricQuery } from '../../../openapi/client/index.ts';
import { aggregationKeys } from '../../catalog/aggregations.ts';
import { methods } from '../../catalog/methods.ts';
import { wholeNumber } from '../arguments.ts';
import { UsageError } from '../command.ts';
import { parseFilters } from './parse-filters.ts';
import { parseDays, parseHours } from './parse-window.ts';

/** The options that are fields of the request, the same for `query`, `explain` and `export`. */
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

export const requestUsage = `  -a, --aggregation NAME    ${aggregationKeys.slice(0, 9).join(', ')},
                            ${aggregationKeys.slice(9).join(', ')}; default: daily
  --raw                     single results instead of aggregates
  -s, --split FIELD         one series per value, such as isp; repeat it, or separate fields by commas
  -f, --filter FIELD=VALUE  only this value; FIELD!=VALUE drops it. Repeat it: values of one field are alternatives,
                            and a result must match every field
  --from TIME, --to TIME    local time of the households, or -7 days, now, last monday; default: the last seven days
                            that are over, in UTC
  --days mon-fri            only these local weekdays
  --hours 19-22             only these local hours, here from 19:00 to 22:59
  --outside                 only results outside of --days and --hours
  --normalised              equal weight to every block of hours
  --no-prefilter            also implausible and unreliable results
  --household STATISTIC     one value per household first: mean, median, min, max, trimmedMean, p20 …
  --household-intervals     confidence intervals with households as the sample
  --relative-to FIELD       in percent of a custom field, such as custom.advertised_download_mbps
  --method NAME             ${methods.map(({ key }) => key).join(', ')}
  --min-agents N            no numbers for points of fewer agents
  --known-at TIME           metadata as it was recorded then
  --metric KEY              the same as METRIC

  --file FILE               the body of a request for metric data; - is standard input. Options replace its fields, and
                            there are no defaults`;

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

/** What is not in the flags of a request without a file: the last seven whole days, by day. */
function defaults(now: Date): object {
  const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);
  const date = (days: number) => daysAgo(days).toISOString().slice(0, 10);
  return {
    chartType: 'aggregate',
    aggregation: 'daily',
    normalised: false,
    prefilter: true,
    time: { from: date(7), to: date(1) },
  };
}

/** The request body: the file or the defaults, with the fields of the flags. The service validates it. */
export function metricRequest(
  flags: RequestFlags,
  file: object | undefined,
  now = new Date(),
): MetricQuery {
  const base: Readonly<Record<string, unknown>> = { ...(file ?? defaults(now)) };
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
