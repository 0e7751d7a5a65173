import { expect } from 'chai';
import {
  calendarDay,
  datePeriod,
  relativeInstantMs,
} from '../../../services/query/request/date-period.ts';

/** The period as two texts, or undefined. */
function period(text: string, now = '2026-02-14T10:20:30.400Z'): string | undefined {
  const found = datePeriod(text, new Date(now));
  return found && `${iso(found.fromMs)} ${iso(found.toMs)}`;
}

function iso(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}

const day = (date: string) => `${date}T00:00:00Z ${date}T23:59:59.999Z`;

describe('a date of test data', () => {
  it('can be a day, with or without dashes', () => {
    expect(period('2026-01-31')).to.equal(day('2026-01-31'));
    expect(period('20260131')).to.equal(day('2026-01-31'));
    expect(period('2024-02-29')).to.equal(day('2024-02-29'));
    expect(period('20000229')).to.equal(day('2000-02-29'));
  });

  it('can be a month up to its last day, also in leap years', () => {
    expect(period('2026-02')).to.equal('2026-02-01T00:00:00Z 2026-02-28T23:59:59.999Z');
    expect(period('2024-02')).to.equal('2024-02-01T00:00:00Z 2024-02-29T23:59:59.999Z');
    expect(period('2026-12')).to.equal('2026-12-01T00:00:00Z 2026-12-31T23:59:59.999Z');
  });

  it('can be a year', () => {
    expect(period('2026')).to.equal('2026-01-01T00:00:00Z 2026-12-31T23:59:59.999Z');
    expect(period('2105')).to.equal('2105-01-01T00:00:00Z 2105-12-31T23:59:59.999Z');
  });

  it('must exist', () => {
    for (const text of [
      '2026-02-30',
      '2026-02-29',
      '1900-02-29',
      '20260431',
      '2026-00',
      '2026-13',
      '2026-1-1',
      '202601',
      '1969',
      '2106',
      '9999',
      '',
      '2026-01-31T00:00:00',
      'yesterday',
      'last someday',
      '5 days',
      '+99999 days',
    ]) {
      expect(period(text), text).to.equal(undefined);
    }
  });

  it('can be now: from the start of today to the current second', () => {
    expect(period('now')).to.equal('2026-02-14T00:00:00Z 2026-02-14T10:20:30.999Z');
    expect(period(' NOW ')).to.equal(period('now'));
  });

  it('can be a number of days from today, across months and years', () => {
    expect(period('-7 days')).to.equal(day('2026-02-07'));
    expect(period('+1 days')).to.equal(day('2026-02-15'));
    expect(period('+1 day')).to.equal(day('2026-02-15'));
    expect(period('-0 days')).to.equal(day('2026-02-14'));
    expect(period('-45 days')).to.equal(day('2025-12-31'));
    expect(period('+1 days', '2023-12-31T23:59:59.999Z')).to.equal(day('2024-01-01'));
    expect(period('+1 days', '2024-02-28T00:00:00Z')).to.equal(day('2024-02-29'));
  });

  it('can be a weekday before, on or after today', () => {
    // 2026-02-14 is a Saturday.
    expect(period('last saturday')).to.equal(day('2026-02-07'));
    expect(period('this saturday')).to.equal(day('2026-02-14'));
    expect(period('next saturday')).to.equal(day('2026-02-21'));
    expect(period('last Friday')).to.equal(day('2026-02-13'));
    expect(period('this friday')).to.equal(day('2026-02-20'));
    expect(period('next fri')).to.equal(day('2026-02-20'));
  });

  it('handles Sunday and Monday at both ends of the week', () => {
    const sunday = '2026-02-15T00:00:00.000Z';
    const monday = '2026-02-16T23:59:59.999Z';
    expect(period('last monday', sunday)).to.equal(day('2026-02-09'));
    expect(period('this monday', sunday)).to.equal(day('2026-02-16'));
    expect(period('next monday', sunday)).to.equal(day('2026-02-16'));
    expect(period('last sunday', sunday)).to.equal(day('2026-02-08'));
    expect(period('this sunday', sunday)).to.equal(day('2026-02-15'));
    expect(period('last sunday', monday)).to.equal(day('2026-02-15'));
    expect(period('this sunday', monday)).to.equal(day('2026-02-22'));
    expect(period('next monday', monday)).to.equal(day('2026-02-23'));
  });
});

describe('a relative time', () => {
  const instant = (text: string) => {
    const ms = relativeInstantMs(text, new Date('2026-02-14T10:20:30.400Z'));
    return ms === undefined ? undefined : iso(ms);
  };

  it('is not rounded to a day', () => {
    expect(instant('-7 days')).to.equal('2026-02-07T10:20:30.400Z');
    expect(instant('now')).to.equal('2026-02-14T10:20:30Z');
  });

  it('is not a day', () => {
    expect(instant('last monday')).to.equal(undefined);
    expect(instant('2026-02-01')).to.equal(undefined);
    expect(instant('2026')).to.equal(undefined);
  });
});

describe('a calendar day', () => {
  const dayOf = (text: string) => calendarDay(text, new Date('2026-02-14T10:20:30.400Z'));

  it('is a date or a weekday near today', () => {
    expect(dayOf('2026-01-31')).to.equal('2026-01-31');
    expect(dayOf('last monday')).to.equal('2026-02-09');
    expect(dayOf('This Saturday')).to.equal('2026-02-14');
  });

  it('is neither a moment nor a longer or missing period', () => {
    for (const text of ['now', '-7 days', '2026', '2026-01', '20260131', '2026-02-30', 'monday']) {
      expect(dayOf(text), text).to.equal(undefined);
    }
  });
});
