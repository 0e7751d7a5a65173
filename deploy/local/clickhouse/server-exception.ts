/** A ClickHouse error: code, message and name. */
export class ServerException extends Error {
  readonly code: number;
  readonly type: string;

  constructor(code: number, type: string, text: string) {
    super(text);
    this.code = code;
    this.type = type;
  }

  /** `Code: 60. DB::Exception: Table a.b does not exist. (UNKNOWN_TABLE) (version 26.5.1.1)` */
  report(engineVersion: string): string {
    return `Code: ${this.code}. DB::Exception: ${this.message} (${this.type}) (version ${engineVersion})`;
  }
}

/** Parses an error message of the engine. Any other error becomes code 1002, UNKNOWN_EXCEPTION. */
export function toServerException(error: unknown): ServerException {
  if (error instanceof ServerException) return error;
  const text = error instanceof Error ? error.message : String(error);
  const match = /^Code: (\d+)\. DB::Exception: (.*) \(([A-Z0-9_]+)\)\s*$/s.exec(unwrapped(text));
  if (match === null) return new ServerException(1002, 'UNKNOWN_EXCEPTION', text);
  return new ServerException(Number(match[1]), match[3] ?? '', match[2] ?? '');
}

export const queryWasCancelled = () =>
  new ServerException(394, 'QUERY_WAS_CANCELLED', 'Query was cancelled.');

export const notImplemented = (what: string) =>
  new ServerException(48, 'NOT_IMPLEMENTED', `The local server does not support ${what}.`);

/** The statuses of ClickHouse's own exceptionCodeToHTTPStatus. */
export function httpStatus(code: number): number {
  return statusByCode.get(code) ?? 500;
}

const statusByCode = new Map<number, number>(
  Object.entries({
    // Text, type and value errors.
    400: [
      6, 8, 15, 25, 26, 27, 36, 37, 38, 41, 44, 53, 62, 72, 117, 123, 167, 168, 223, 321, 376, 427,
      441, 675, 676,
    ],
    401: [194],
    403: [192, 193, 497, 512, 516],
    // Tables, databases, columns, functions, formats and settings that do not exist.
    404: [46, 47, 50, 56, 60, 63, 73, 78, 81, 115, 152, 336, 511],
    408: [159],
    411: [381],
    413: [229],
    501: [48],
    503: [76, 209, 439],
  }).flatMap(([status, codes]) => codes.map((code) => [code, Number(status)] as const)),
);

// The engine nests the message of errors in a format or a pipeline:
// "Code: 73. DB::Exception: Code: 73. DB::Exception: Unknown format X. (UNKNOWN_FORMAT) (version 26.5.1.1). (UNKNOWN_FORMAT)"
function unwrapped(text: string): string {
  const inner =
    /^Code: \d+\. DB::Exception: (Code: \d+\. DB::Exception: .* \([A-Z0-9_]+\)) \(version [^()]*\)\. \([A-Z0-9_]+\)\s*$/s.exec(
      text,
    )?.[1];
  return inner === undefined ? text : unwrapped(inner);
}
