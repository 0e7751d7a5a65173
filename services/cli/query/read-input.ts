import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { metrics } from '../../catalog/metrics.ts';
import type { MetricQuery } from '../../../openapi/client/index.ts';
import {
  flagWords,
  metricRequest,
  type RequestFlags,
  requestOptions,
  requestValues,
} from '../../query/request/request-options.ts';
import { rejectExtraArguments } from '../arguments.ts';
import { UsageError } from '../../shared/errors/usage-error.ts';
import { connectionOptions, type DataRequest, isTestQuery } from '../query-client.ts';

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
  const request = metricRequest(flags, body) as MetricQuery;
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
