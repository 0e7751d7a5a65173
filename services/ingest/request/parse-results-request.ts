import type { Request } from 'express';
import { isTestKey, type TestKey, testKeys } from '../../catalog/test-tables.ts';
import { AppError } from '../../shared/errors/app-error.ts';
import { Problems } from '../../shared/errors/problems.ts';
import { shortened } from '../../shared/errors/shortened.ts';

export type ResultsFormat = 'csv' | 'ndjson' | 'json';
export type ContentEncoding = 'identity' | 'gzip' | 'zstd';

/** A request with results, without its body. */
export interface ResultsRequest {
  readonly test: TestKey;
  readonly format: ResultsFormat;
  readonly encoding: ContentEncoding;
  /** Store nothing unless all rows are valid. */
  readonly isAtomic: boolean;
  /** The rows replace stored results with the same key. */
  readonly isReplacing: boolean;
  readonly idempotencyKey: string | undefined;
}

export function parseResultsRequest(req: Request): ResultsRequest {
  const test = String(req.params.test);
  if (!isTestKey(test)) {
    throw new AppError('NOT_FOUND', {
      publicMessage: `There is no test ${JSON.stringify(shortened(test))}. Tests: ${testKeys.join(', ')}.`,
    });
  }
  const problems = new Problems();
  const { atomic, replace } = parseFlags(req, ['atomic', 'replace'], problems);
  const idempotencyKey = parseIdempotencyKey(req, problems);
  problems.throwIfAny();
  return {
    test,
    format: resultsFormat(req),
    encoding: contentEncoding(req),
    isAtomic: atomic === true,
    isReplacing: replace === true,
    idempotencyKey,
  };
}

/** The query parameters, each true or false. */
export function parseFlags<Name extends string>(
  req: Request,
  names: readonly Name[],
  problems: Problems,
): Readonly<Partial<Record<Name, boolean>>> {
  const flags: Partial<Record<Name, boolean>> = {};
  for (const [given, value] of Object.entries(req.query)) {
    const name = names.find((known) => known === given);
    if (name === undefined) problems.add(given, `Unknown parameter. Allowed: ${names.join(', ')}.`);
    else if (value === 'true' || value === 'false') flags[name] = value === 'true';
    else problems.add(name, 'This value should be true or false.');
  }
  return flags;
}

/** As in draft-ietf-httpapi-idempotency-key-header; the quotes of a structured field are optional. */
export function parseIdempotencyKey(req: Request, problems: Problems): string | undefined {
  const given = req.get('idempotency-key');
  if (given === undefined) return undefined;
  const key = /^"(.*)"$/.exec(given.trim())?.[1] ?? given.trim();
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key;
  problems.add('Idempotency-Key', 'This header should have 1 to 255 printable ASCII characters.');
  return undefined;
}

const formats: Readonly<Record<string, ResultsFormat>> = {
  'text/csv': 'csv',
  'application/x-ndjson': 'ndjson',
  'application/jsonl': 'ndjson',
  'application/json': 'json',
};

/** The format of a body with results. */
function resultsFormat(req: Request): ResultsFormat {
  const { type, charset } = mediaType(req);
  const format = formats[type];
  if (format === undefined) {
    throw unsupported(`Content-Type must be one of ${Object.keys(formats).join(', ')}`);
  }
  if (charset !== 'utf-8') throw unsupported('The charset of the request body must be utf-8');
  return format;
}

export function requireJson(req: Request): void {
  const { type, charset } = mediaType(req);
  // RFC 8194, section 4, uses RESTCONF's type.
  if (type !== 'application/json' && type !== 'application/yang-data+json') {
    throw unsupported('Content-Type must be application/json or application/yang-data+json');
  }
  if (charset !== 'utf-8') throw unsupported('The charset of the request body must be utf-8');
}

export function contentEncoding(req: Request): ContentEncoding {
  const encoding = req.get('content-encoding')?.trim().toLowerCase() ?? 'identity';
  if (encoding === 'identity' || encoding === 'gzip' || encoding === 'zstd') return encoding;
  throw unsupported('Content-Encoding must be gzip, zstd or identity');
}

function mediaType(req: Request): { readonly type: string; readonly charset: string } {
  const [type = '', ...parameters] = (req.get('content-type') ?? '').toLowerCase().split(';');
  const charset = parameters
    .map((one) => /^\s*charset="?([^"]*)"?\s*$/.exec(one)?.[1])
    .find(Boolean);
  return { type: type.trim(), charset: charset === 'utf8' ? 'utf-8' : (charset ?? 'utf-8') };
}

function unsupported(publicMessage: string): AppError {
  return new AppError('UNSUPPORTED_MEDIA_TYPE', { publicMessage });
}
