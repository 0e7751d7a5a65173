import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { metrics } from '../../catalog/metrics.ts';
import { filterAsOption } from '../../query/request/fields/filter-options.ts';
import { rejectExtraArguments } from '../arguments.ts';
import { UsageError } from '../../shared/errors/usage-error.ts';
import { connectionOptions, type DataRequest, isTestQuery } from '../query-client.ts';
import {
  flagsOfFields,
  metricRequest,
  type RequestFlags,
  requestOptions,
  requestValues,
  timeOptions,
} from './request-flags.ts';
import type { MetricQuery } from '../../../openapi/client/index.ts';

/** The options of the commands that send a request: `query`, `explain` and `export`. */
export const inputOptions = {
  ...requestOptions,
  ...connectionOptions,
  file: { type: 'string' },
} as const;

/** Their values, for completion in a shell. */
export const inputValues = { '': metrics.map(({ key }) => key), ...requestValues };

interface InputFlags extends RequestFlags {
  readonly file?: string | undefined;
}

interface Input {
  readonly request: DataRequest;
  /** The option for a field of the request. */
  readonly inWords: (path: string) => string;
}

/** The request of `METRIC [options]`, `--file request.json [options]` or `request.json [options]`. */
export async function readInput(
  given: InputFlags,
  [argument, ...more]: readonly string[],
): Promise<Input> {
  rejectExtraArguments(more);
  const { file, ...flags } = withArgument(given, argument);
  const body = file === undefined ? undefined : await readRequest(file);
  if (body !== undefined && isTestQuery(body)) return testInput(body, flags, file);
  const request = metricRequest(flags, body);
  return { request, inWords: (path) => flagWords(path, request, flags, file) };
}

function withArgument(given: InputFlags, argument: string | undefined): InputFlags {
  if (argument === undefined) return given;
  if (isPath(argument)) {
    if (given.file === undefined) return { ...given, file: argument };
    throw new UsageError(`--file and ${argument} exclude each other`);
  }
  if (given.metric === undefined) return { ...given, metric: argument };
  throw new UsageError('METRIC and --metric exclude each other');
}

/** The key of a metric has only letters and digits. */
function isPath(argument: string): boolean {
  return argument === '-' || /[./\\]/.test(argument);
}

function testInput(request: DataRequest, flags: RequestFlags, file = ''): Input {
  const first = Object.keys(requestOptions).find((name) => flags[name] !== undefined);
  if (first !== undefined) {
    throw new UsageError(`--${first} is for metric data, and ${file} is a request for test data`);
  }
  return { request, inWords: (path) => path };
}

/** Reads a request body from a file, or from standard input when it is "-". The service validates it. */
async function readRequest(path: string): Promise<DataRequest> {
  const body = path === '-' ? await text(process.stdin) : await readFile(path, 'utf8');
  const request = parseJson(body, path);
  if (typeof request === 'object' && request !== null && !Array.isArray(request)) {
    return request as DataRequest;
  }
  throw new Error(`${path} must contain one JSON object, the body of a request`);
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${path} is not valid JSON`, { cause: error });
  }
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
  request: MetricQuery,
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
