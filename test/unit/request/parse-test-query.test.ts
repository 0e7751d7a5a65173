import { expect } from 'chai';
import { parseTestQuery } from '../../../services/query/request/parse-test-query.ts';
import { AppError, type FieldErrors } from '../../../services/shared/errors/app-error.ts';
import { parseContext } from '../../support/metric-request.ts';

function errorsOf(body: unknown, context = parseContext): FieldErrors {
  try {
    parseTestQuery(body, context);
  } catch (error) {
    if (error instanceof AppError && error.code === 'VALIDATION_FAIL') return error.errors ?? {};
    throw error;
  }
  return {};
}

describe('a test data request', () => {
  it('starts at the start of its first period and ends at the end of its last', () => {
    const body = { test: 'httpget', date: { from: '2026-01', to: '-1 days' } };
    expect(parseTestQuery(body, parseContext)).to.deep.equal({
      organisationId: 7,
      test: 'httpget',
      fromUtc: '2026-01-01 00:00:00.000',
      toUtc: '2026-02-13 23:59:59.999',
      warnings: [],
    });
  });

  it('is rejected for a reversed or too long range', () => {
    const range = (from: string, to: string) => errorsOf({ test: 'dns', date: { from, to } });
    expect(range('2026-01-02', '2026-01-01')['date[from]']).to.deep.equal([
      'Must not be after date[to].',
    ]);
    expect(range('2026-01-31', '2026-01')).to.deep.equal({});
    expect(range('2024', '2026').date).to.deep.equal([
      'The range is too long; send at most 400 days.',
    ]);
  });

  it('is accepted only for granted tests', () => {
    const context = { ...parseContext, tests: ['dns'] };
    const date = { from: '2026-01', to: '2026-01' };
    expect(errorsOf({ test: 'dns', date }, context)).to.deep.equal({});
    expect(errorsOf({ test: 'ping', date }, context).test).to.deep.equal([
      'Unknown test "ping". Send one of: dns.',
    ]);
    expect(errorsOf({ test: '__proto__', date }, context)).to.have.property('test');
  });
});
