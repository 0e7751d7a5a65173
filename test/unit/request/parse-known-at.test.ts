import { expect } from 'chai';
import { knownAtMoment } from '../../../services/query/request/fields/known-at.ts';
import { AppError } from '../../../services/shared/errors/app-error.ts';
import { metricQuery, parseContext } from '../../support/metric-request.ts';

/** A Saturday, 2026-02-14T10:20:30.400Z. */
const { now } = parseContext;
const momentOf = (knownAt: unknown) => knownAtMoment({ knownAt }, now)?.toISOString();

describe('knownAt', () => {
  for (const [text, moment] of [
    ['2026-01-31 13:00', '2026-01-31T13:00:00.000Z'],
    ['2026-01-31 13:00:05', '2026-01-31T13:00:05.000Z'],
    ['2026-01-31 13:00:05.5', '2026-01-31T13:00:05.500Z'],
    ['2026-01-31T13:00:05.123Z', '2026-01-31T13:00:05.123Z'],
    ['2026-01-31T13:00Z', '2026-01-31T13:00:00.000Z'],
    ['2026-01-31', '2026-01-31T00:00:00.000Z'],
    ['last monday', '2026-02-09T00:00:00.000Z'],
    ['now', '2026-02-14T10:20:30.000Z'],
    ['-7 days', '2026-02-07T10:20:30.400Z'],
    ['2026-02-14T10:20:30.400Z', '2026-02-14T10:20:30.400Z'],
  ]) {
    it(`accepts ${text} as a moment in UTC`, () => expect(momentOf(text)).to.equal(moment));
  }

  const invalid = [
    '',
    '2026',
    '2026-02-30 10:00',
    '2026-01-31 25:00',
    '2026-01-31 13:00.5',
    '2026-01-31T13:00:05+01:00',
    '2026-01-31 13:00:05.1234',
    ' 2026-01-31 13:00',
    'yesterday',
    `2026-01-31 13:00:${'0'.repeat(1000)}`,
  ];
  for (const knownAt of [...invalid, 5, {}, ['now']]) {
    it(`is refused with the allowed forms: ${JSON.stringify(knownAt).slice(0, 40)}`, () => {
      expect(momentOf(knownAt)).to.equal(undefined);
      expect(errorOf(knownAt)).to.match(/^Invalid moment\. Send YYYY-MM-DD HH:MM:SS in UTC/);
    });
  }

  for (const knownAt of ['2026-02-14T10:20:30.401Z', '+1 days', 'next monday', '2026-02-15']) {
    it(`is refused in the future: ${knownAt}`, () => {
      expect(momentOf(knownAt)).to.equal(undefined);
      expect(errorOf(knownAt)).to.equal('Must not be in the future.');
    });
  }

  it('is reported together with the other problems of a request', () => {
    const errors = errorsOf({ knownAt: 'x', splits: ['ips'] });
    expect(errors).to.have.all.keys('knownAt', 'splits[0]');
  });

  it('is optional', () => {
    expect(metricQuery({})).not.to.have.property('knownAt');
  });
});

function errorOf(knownAt: unknown): string | undefined {
  return errorsOf({ knownAt })?.knownAt?.[0];
}

function errorsOf(changes: Readonly<Record<string, unknown>>) {
  try {
    metricQuery(changes);
  } catch (error) {
    if (error instanceof AppError) return error.errors;
    throw error;
  }
  return undefined;
}
