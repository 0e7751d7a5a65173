import { ClickHouseError } from '@clickhouse/client';
import { expect } from 'chai';
import { toQueryError } from '../../../services/query/execution/to-query-error.ts';

const limits = {
  queryTimeoutMs: 1000,
  queryMemoryBytes: 2000,
  queryThreads: 0,
  maxResultRows: 3000,
  maxRowsToRead: 4000,
};

describe('a ClickHouse error', () => {
  for (const [code, type, status, publicCode] of [
    ['158', 'TOO_MANY_ROWS', 422, 'VALIDATION_FAIL'],
    ['159', 'TIMEOUT_EXCEEDED', 504, 'QUERY_TIMEOUT'],
    ['201', 'QUOTA_EXCEEDED', 429, 'RATE_LIMITED'],
    ['202', 'TOO_MANY_SIMULTANEOUS_QUERIES', 429, 'RATE_LIMITED'],
    ['210', 'NETWORK_ERROR', 503, 'SERVICE_UNAVAILABLE'],
    ['241', 'MEMORY_LIMIT_EXCEEDED', 422, 'VALIDATION_FAIL'],
    ['395', 'FUNCTION_THROW_IF_VALUE_IS_NON_ZERO', 503, 'SERVICE_UNAVAILABLE'],
    ['396', 'TOO_MANY_ROWS_OR_BYTES', 422, 'VALIDATION_FAIL'],
    ['60', 'UNKNOWN_TABLE', 500, 'UNKNOWN_ERROR'],
  ] as const) {
    it(`${code} becomes ${status} ${publicCode} without the server's message`, () => {
      const thrown = new ClickHouseError({ code, type, message: 'secret message of the server' });
      const error = toQueryError(thrown, limits);
      expect(error.status).to.equal(status);
      expect(error.code).to.equal(publicCode);
      expect(JSON.stringify([error.publicMessage, error.errors])).not.to.include('secret');
      expect(error.cause).to.equal(thrown);
      expect('Retry-After' in error.headers).to.equal(status === 429 || status === 503);
    });
  }

  it('over a limit becomes a message with the limit', () => {
    const messageOf = (code: string) =>
      toQueryError(new ClickHouseError({ code, type: 'X', message: '' }), limits).errors?.time?.[0];
    expect(messageOf('158')).to.include('4000');
    expect(messageOf('396')).to.include('3000');
  });

  it('of the connection becomes 503', () => {
    const connectionError = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    expect(toQueryError(connectionError, limits).status).to.equal(503);
    expect(toQueryError(new Error('something else'), limits).status).to.equal(500);
  });

  it('from a proxy, or an empty response, becomes 503', () => {
    for (const text of [
      '',
      '<html><body>502 Bad Gateway',
      '\n<!DOCTYPE html>\n<title>504',
      'Bad Gateway',
      'no healthy upstream',
      'upstream connect error or disconnect/reset before headers.\nreset reason: overflow',
    ]) {
      expect(toQueryError(new Error(text), limits).status, text).to.equal(503);
    }
    const ours = new Error('Bad gateway of the compiler');
    expect(toQueryError(ours, limits).status).to.equal(500);
  });
});
