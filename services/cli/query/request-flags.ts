import type { MetricQuery } from '../../../openapi/client/index.ts';
import { metricFields } from '../../query/request/fields/metric-fields.ts';
import type { Flag, RequestField } from '../../query/request/fields/request-field.ts';
import { wholeNumber } from '../arguments.ts';
import { UsageError } from '../../shared/errors/usage-error.ts';

/** The options that are fields of the request, the same for `query`, `explain` and `export`. */
export type RequestFlags = Readonly<Record<string, FlagValue | undefined>>;

type FlagValue = string | boolean | readonly (string | boolean)[];

/** The options of each field, by its name. */
export const flagsOfFields: ReadonlyMap<string, Readonly<Record<string, Flag>>> = new Map(
  Object.entries(metricFields).map(([name, { flags = {} }]) => [name, flags]),
);
const flags = [...flagsOfFields.values()].flatMap((ofField) => Object.entries(ofField));

/** For the parser of arguments. */
export const requestOptions = Object.fromEntries(
  flags.map(([name, { value, short, isRepeated }]) => [
    name,
    {
      type: value === undefined ? ('boolean' as const) : ('string' as const),
      ...(short !== undefined && { short }),
      ...(isRepeated && { multiple: true }),
    },
  ]),
);

/** Their values may begin with a dash: `-7 days`, `-14 days/-8 days`. */
export const timeOptions = flags
  .filter(([, { value }]) => value === 'TIME' || value === 'FROM/TO')
  .map(([name]) => `--${name}`);

/** For completion in a shell. */
export const requestValues = Object.fromEntries(
  flags.flatMap(([name, { values }]) => (values === undefined ? [] : [[`--${name}`, values]])),
);

const usageIndent = 28;
const usageWidth = 120 - usageIndent;

export const requestUsage = [
  ...flags.map(usageLine),
  '',
  `  --file FILE               the body of a request for metric data; - is standard input. Options replace its fields, and
                            there are no defaults`,
].join('\n');

function usageLine([name, { short, value, about }]: readonly [string, Flag]): string {
  const option = `  ${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`;
  const lines = about.split(' ').reduce<readonly string[]>((wrapped, word) => {
    const last = wrapped.at(-1);
    const isFull = last === undefined || last.length + word.length + 1 > usageWidth;
    return isFull ? [...wrapped, word] : [...wrapped.slice(0, -1), `${last} ${word}`];
  }, []);
  const indent = ' '.repeat(usageIndent);
  const first = option.length < usageIndent ? option.padEnd(usageIndent) : `${option}\n${indent}`;
  return `${first}${lines.join(`\n${indent}`)}`;
}

/** Defaults of a request without a file: the last seven whole days, by day. A comparison is about a whole range. */
function defaults(now: Date, isComparison: boolean): object {
  const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);
  const date = (days: number) => daysAgo(days).toISOString().slice(0, 10);
  return {
    chartType: 'aggregate',
    aggregation: isComparison ? 'total' : 'daily',
    normalised: false,
    prefilter: true,
    time: { from: date(7), to: date(1) },
  };
}

/** The request body: the file or the defaults, with the fields of the flags. The service validates it. */
export function metricRequest(
  given: RequestFlags,
  file: object | undefined,
  now = new Date(),
): MetricQuery {
  const compared = Object.keys(flagsOfFields.get('compare') ?? {}).filter(
    (name) => given[name] !== undefined,
  );
  const base: Readonly<Record<string, unknown>> = {
    ...(file ?? defaults(now, compared.length > 0)),
  };
  if (file === undefined && given.metric === undefined) {
    throw new UsageError('METRIC is missing: name one, or send a request with --file');
  }
  if (given.raw === true && given.aggregation !== undefined) {
    throw new UsageError('--raw and --aggregation exclude each other: raw data is not aggregated');
  }
  if (given.outside === true && (given.days ?? given.hours ?? base.window) === undefined) {
    throw new UsageError('--outside needs --days or --hours');
  }
  if (compared.join() === 'compare-agents' && (base.compare ?? undefined) === undefined) {
    throw new UsageError(
      '--compare-agents needs --compare-time, --compare-filter, --compare-known-at or --compare-to',
    );
  }
  const fields = Object.entries(metricFields).flatMap(([name, field]) => {
    const value = fieldValue(field, given, base[name]);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...base, ...Object.fromEntries(fields), ...chartType(given) } as MetricQuery;
}

function chartType({ raw, aggregation }: RequestFlags): object {
  if (raw === true) return { chartType: 'raw', aggregation: null };
  return aggregation === undefined ? {} : { chartType: 'aggregate' };
}

/** Undefined without its flags. Several flags are parts of an object: the others keep the values of the file. */
function fieldValue(
  { schema, fields, flags = {} }: RequestField,
  given: RequestFlags,
  inFile: unknown,
) {
  const values = Object.entries(flags).flatMap(([name, flag]) => {
    const { sets } = flag;
    const value = given[name];
    if (value === undefined) return [];
    const { type } = (sets === undefined ? undefined : fields?.[sets]?.schema) ?? schema;
    return [{ sets, value: readFlag(name, value, flag, type) }];
  });
  const [first] = values;
  if (first?.sets === undefined) return first?.value;
  const kept = Object.keys(flags).length > 1 ? (inFile as object | undefined) : {};
  return { ...kept, ...Object.fromEntries(values.map(({ sets = '', value }) => [sets, value])) };
}

/** The value of an option as the service expects it. */
function readFlag(name: string, value: FlagValue, { read }: Flag, type: string): unknown {
  if (typeof value === 'boolean') return name.startsWith('no-') ? false : value;
  const texts = [value].flat().map(String);
  const [text = ''] = texts;
  if (read !== undefined) return read(texts, name);
  return type === 'integer' ? wholeNumber(text, name) : text;
}
