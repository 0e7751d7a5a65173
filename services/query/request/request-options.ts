import { UsageError, wholeNumber } from '../../shared/errors/usage-error.ts';
import { filterAsOption, type FilterBody } from './fields/filter-options.ts';
import { metricFields } from './fields/metric-fields.ts';
import type { Flag, RequestField } from './fields/request-field.ts';

/** The options that are fields of the request, the same for `query`, `explain` and `export`. */
export type RequestFlags = Readonly<Record<string, FlagValue | undefined>>;

type FlagValue = string | boolean | readonly (string | boolean)[];

/** The options of each field, by its name. */
const flagsOfFields: ReadonlyMap<string, Readonly<Record<string, Flag>>> = new Map(
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
const timeOptions = flags
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

/** The fields that messages show. The service validates all of them. */
interface OptionalFields {
  readonly aggregation?: string | null;
  readonly splits?: readonly string[] | null;
  readonly filters?: readonly FilterBody[] | null;
  readonly compare?: { readonly filters?: readonly FilterBody[] | null } | null;
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
): OptionalFields {
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
    const others = flagNames('compare', undefined).filter((name) => name !== 'compare-agents');
    throw new UsageError(`--compare-agents needs --${others.join(' or --')}`);
  }
  const fields = Object.entries(metricFields).flatMap(([name, field]) => {
    const value = fieldValue(field, given, base[name]);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...base, ...Object.fromEntries(fields), ...chartType(given) };
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

/** `--from "-7 days"` becomes `--from=-7 days`: Node takes a separate value with a dash for an option. */
export function withRelativeTimes(args: readonly string[]): readonly string[] {
  return args.reduce<readonly string[]>((joined, arg) => {
    const last = joined.at(-1) ?? '';
    const isTime = /^-\d/.test(arg) && timeOptions.includes(last);
    return isTime ? [...joined.slice(0, -1), `${last}=${arg}`] : [...joined, arg];
  }, []);
}

/**
 * The option for a field of the request: `time[from]` is `--from`, `filters[0][id]` is `--filter isp=x`. A field that
 * comes from a file keeps its path.
 */
export function flagWords(
  path: string,
  request: OptionalFields,
  flags: RequestFlags,
  file: string | undefined,
): string {
  const [field = '', ...inner] = path.split(/[[\].]+/).filter((part) => part !== '');
  const names = flagNames(field, inner[0]);
  const isGiven = names.some((name) => flags[name] !== undefined);
  if (names.length === 0 || (file !== undefined && !isGiven)) {
    return file === undefined ? path : `${file === '-' ? 'standard input' : file}: ${path}`;
  }
  if (field === 'metric') return 'METRIC';
  if (field === 'splits') {
    return `--split ${request.splits?.[Number(inner[0] ?? 0)] ?? ''}`.trimEnd();
  }
  const isCompared = field === 'compare' && inner[0] === 'filters';
  const [at, part, value] = isCompared ? inner.slice(1) : inner;
  const filters = isCompared ? request.compare?.filters : request.filters;
  const filter = isCompared || field === 'filters' ? filters?.[Number(at ?? 0)] : undefined;
  if (filter !== undefined) {
    const index = part === 'filterValues' ? Number(value ?? 0) : 0;
    return filterAsOption(filter, index, names[0] ?? '');
  }
  const shown = names.filter((name) => !isGiven || flags[name] !== undefined);
  return shown.map((name) => `--${name}`).join(', ');
}

/** The flags behind a field, or behind a part of it. */
function flagNames(field: string, part: string | undefined): readonly string[] {
  // --aggregation sets both.
  if (field === 'chartType') return ['raw', 'aggregation'];
  const flags = Object.entries(flagsOfFields.get(field) ?? {});
  const ofPart = flags.filter(([, { sets }]) => sets !== undefined && sets === part);
  return (ofPart.length > 0 ? ofPart : flags).map(([name]) => name);
}
