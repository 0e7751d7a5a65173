import { metrics } from '../../catalog/metrics.ts';
import { aggregationKeys } from '../../catalog/aggregations.ts';
import { methods } from '../../catalog/methods.ts';
import { rejectExtraArguments } from '../arguments.ts';
import { UsageError } from '../command.ts';
import { connectionOptions, type DataRequest, isTestQuery, readRequest } from '../query-client.ts';
import { flagWords } from './flag-words.ts';
import { metricRequest, type RequestFlags, requestOptions } from './request-flags.ts';

/** The options of the commands that send a request: `query`, `explain` and `export`. */
export const inputOptions = {
  ...requestOptions,
  ...connectionOptions,
  file: { type: 'string' },
} as const;

/** Their values, for completion in a shell. */
export const inputValues = {
  '': metrics.map(({ key }) => key),
  '--metric': metrics.map(({ key }) => key),
  '--aggregation': aggregationKeys,
  '--method': methods.map(({ key }) => key),
};

interface InputFlags extends RequestFlags {
  readonly file?: string | undefined;
}

interface Input {
  readonly request: DataRequest;
  /** The user's words for a field of the request. */
  readonly inWords: (path: string) => string;
}

/** The request of `METRIC [options]`, `--file request.json [options]` or `request.json [options]`. */
export async function readInput(
  given: InputFlags,
  [argument, ...more]: readonly string[],
): Promise<Input> {
  rejectExtraArguments(more);
  const { file, ...flags } = withArgument(given, argument);
  const body = file === undefined ? undefined : await readObject(file);
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
  const names = Object.keys(requestOptions) as (keyof RequestFlags)[];
  const [first] = names.filter((name) => flags[name] !== undefined);
  if (first !== undefined) {
    throw new UsageError(`--${first} is for metric data, and ${file} is a request for test data`);
  }
  return { request, inWords: (path) => path };
}

async function readObject(path: string): Promise<DataRequest> {
  const request: unknown = await readRequest(path);
  if (typeof request === 'object' && request !== null && !Array.isArray(request)) {
    return request as DataRequest;
  }
  throw new Error(`${path} must contain one JSON object, the body of a request`);
}

/** `--from "-7 days"` becomes `--from=-7 days`: Node takes a separate value with a dash for an option. */
export function withRelativeTimes(args: readonly string[]): readonly string[] {
  return args.reduce<readonly string[]>((joined, arg) => {
    const last = joined.at(-1) ?? '';
    const isTime = /^-\d/.test(arg) && ['--from', '--to', '--known-at'].includes(last);
    return isTime ? [...joined.slice(0, -1), `${last}=${arg}`] : [...joined, arg];
  }, []);
}
