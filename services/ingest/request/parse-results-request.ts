import type { Request } from 'express';
import { testKeys } from '../../catalog/test-tables.ts';
import { AppError } from '../../shared/errors/app-error.ts';
import { Problems } from '../../shared/errors/problems.ts';
import { shortened } from '../../shared/errors/shortened.ts';
import {
  contentEncoding,
  type ContentEncoding,
  resultsFormat,
  type ResultsFormat,
} from './content-type.ts';

/** A request with results, without its body. */
export interface ResultsRequest {
  readonly test: string;
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
  if (!testKeys.some((key) => key === test)) {
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
