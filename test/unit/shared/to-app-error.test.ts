import { deflateRawSync, inflateSync } from 'node:zlib';
import { NoSuchBucket, NoSuchKey, NoSuchUpload, NotFound } from '@aws-sdk/client-s3';
import { ClickHouseError } from '@clickhouse/client';
import { expect } from 'chai';
import pg from 'pg';
import { toAppError } from '../../../services/shared/http/error-handler.ts';

const s3 = { message: 'none', $metadata: { httpStatusCode: 404 } };

/** Errors of stores and libraries about their own requests. The client is not responsible for them. */
const storeErrors: Readonly<Record<string, unknown>> = {
  'S3 has no such object': new NotFound(s3),
  'S3 has no such key': new NoSuchKey(s3),
  'S3 has no such upload': new NoSuchUpload(s3),
  'S3 has no such bucket': new NoSuchBucket(s3),
  'an HTTP client got 404': Object.assign(new Error('x'), { status: 404, statusCode: 404 }),
  'a store rejected a body': Object.assign(new Error('x'), { type: 'entity.too.large', limit: 1 }),
  'ClickHouse knows no such table': new ClickHouseError({
    message: 'Unknown table',
    code: '60',
    type: 'UNKNOWN_TABLE',
  }),
  'Postgres rejects a value': Object.assign(new pg.DatabaseError('x', 1, 'error'), {
    code: '22P02',
    status: 400,
  }),
  'a stored file has invalid compression': thrownBy(() => inflateSync(deflateRawSync('x'))),
  'a text has invalid URL encoding': thrownBy(() => decodeURIComponent('%ff')),
};

describe('toAppError', () => {
  for (const [what, error] of Object.entries(storeErrors)) {
    it(`500, not a client error, when ${what}`, () => {
      expect(toAppError(error)).to.include({ status: 500, code: 'UNKNOWN_ERROR' });
    });
  }
});

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}
