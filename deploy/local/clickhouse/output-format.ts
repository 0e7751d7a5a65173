import { ServerException } from './server-exception.ts';

/**
 * How chunks of a format are joined. Every chunk is formatted as a complete result, so only formats of
 * consecutive rows can be joined. Formats with a header repeat it in every chunk.
 */
export type Streaming = 'document' | 'rows' | Header;

interface Header {
  readonly lines: number;
  /** In CSV a quoted column name may contain a line end; other formats escape it. */
  readonly isCsv: boolean;
}

export function streamingOf(format: string): Streaming {
  return streamingByFormat.get(format.toLowerCase()) ?? 'document';
}

export function contentType(format: string): string {
  const name = format.toLowerCase();
  if (/^(tsv|tabseparated)/.test(name)) return 'text/tab-separated-values; charset=UTF-8';
  if (name.startsWith('csv')) {
    return `text/csv; charset=UTF-8; header=${name === 'csv' ? 'absent' : 'present'}`;
  }
  if (/^json.*eachrow|^ndjson|^jsonlines/.test(name)) return 'application/x-ndjson; charset=UTF-8';
  if (name.startsWith('json')) return 'application/json; charset=UTF-8';
  if (/^(pretty|vertical|markdown|xml|values)/.test(name)) return 'text/plain; charset=UTF-8';
  return 'application/octet-stream';
}

/** Returns a function that removes the header from every chunk but the first. */
export function headerStripper(
  streaming: Streaming,
): (chunk: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer> {
  if (typeof streaming === 'string') return (chunk) => chunk;
  let header: Uint8Array | undefined;
  return (chunk) => {
    if (header === undefined) {
      header = chunk.slice(0, headerLength(chunk, streaming));
      return chunk;
    }
    if (Buffer.compare(chunk.subarray(0, header.length), header) !== 0) {
      throw new ServerException(49, 'LOGICAL_ERROR', 'A chunk does not start with the header.');
    }
    return chunk.subarray(header.length);
  };
}

function headerLength(chunk: Uint8Array, { lines, isCsv }: Header): number {
  let isQuoted = false;
  let left = lines;
  for (let at = 0; at < chunk.length; at++) {
    if (isCsv && chunk[at] === 0x22) isQuoted = !isQuoted;
    if (chunk[at] === 0x0a && !isQuoted && --left === 0) return at + 1;
  }
  return chunk.length;
}

const rows = ['TSV', 'TabSeparated', 'TSVRaw', 'TabSeparatedRaw', 'TSKV', 'CSV', 'Null'];
const jsonRows = ['JSONEachRow', 'JSONLines', 'NDJSON', 'JSONStringsEachRow'];
const compactRows = ['JSONCompactEachRow', 'JSONCompactStringsEachRow'];
const binaryRows = ['RowBinary', 'Native', 'MsgPack'];
const withNames = ['CSV', 'TSV', 'TabSeparated', ...compactRows];

const streamingByFormat = new Map<string, Streaming>([
  ...[...rows, ...jsonRows, ...compactRows, ...binaryRows].map(
    (name) => [name.toLowerCase(), 'rows'] as const,
  ),
  ...withNames.flatMap((name) => [
    [`${name}WithNames`.toLowerCase(), { lines: 1, isCsv: name === 'CSV' }] as const,
    [`${name}WithNamesAndTypes`.toLowerCase(), { lines: 2, isCsv: name === 'CSV' }] as const,
  ]),
]);
