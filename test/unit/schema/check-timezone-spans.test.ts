import { expect } from 'chai';
import { checkTimezoneSpans } from '../../../services/schema/clickhouse/check-timezone-spans.ts';
import { timezoneOffsets } from '../../../services/schema/clickhouse/timezone-offsets.ts';

describe('checkTimezoneSpans', () => {
  const day = 86_400;
  const periods = (...starts: number[]) =>
    starts.map((validFromUtcS, i) => ({
      timezone: 'Africa/Cairo',
      validFromUtcS,
      validToUtcS: (starts[i + 1] ?? 2 ** 32) - 1,
      utcOffsetS: i * 3600,
    }));

  it('accepts every time zone of the current database', () => {
    expect(() => checkTimezoneSpans(timezoneOffsets())).not.to.throw();
  });

  it('accepts two clock changes in 48 days, as in Egypt in September 2010', () => {
    expect(() => checkTimezoneSpans(periods(0, day, 2 * day))).not.to.throw();
  });

  it('refuses three clock changes in 48 days and names the time zone', () => {
    expect(() => checkTimezoneSpans(periods(0, day, 2 * day, 3 * day))).to.throw(
      'Africa/Cairo has more than 2 clock changes in the 4194304 seconds from 1970-01-01T00:00:00.000Z',
    );
  });
});
