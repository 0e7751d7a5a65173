import type { Request } from 'express';
import { AppError } from '../../shared/errors/app-error.ts';

export type ResultsFormat = 'csv' | 'ndjson' | 'json';
export type ContentEncoding = 'identity' | 'gzip' | 'zstd';

const formats: Readonly<Record<string, ResultsFormat>> = {
  'text/csv': 'csv',
  'application/x-ndjson': 'ndjson',
  'application/jsonl': 'ndjson',
  'application/json': 'json',
};

/** The format of a body with results. */
export function resultsFormat(req: Request): ResultsFormat {
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
