import { expect } from 'chai';
import {
  timezoneOffsets,
  type TimezoneOffset,
} from '../../../services/schema/clickhouse/publish-timezone-offsets.ts';

describe('time zone offsets', () => {
  const offsets = timezoneOffsets();

  it('Kathmandu is UTC+5:45 since 1986', () => {
    expect(offsetAt('Asia/Kathmandu', '1985-12-31T18:29:59Z')).to.equal(5.5 * 3600);
    expect(offsetAt('Asia/Kathmandu', '1985-12-31T18:30:00Z')).to.equal(5.75 * 3600);
    expect(offsetAt('Asia/Kathmandu', '2026-07-01T00:00:00Z')).to.equal(5.75 * 3600);
  });

  it("St John's changes by an hour at the exact second of its clock change", () => {
    expect(offsetAt('America/St_Johns', '2026-03-08T05:29:59Z')).to.equal(-3.5 * 3600);
    expect(offsetAt('America/St_Johns', '2026-03-08T05:30:00Z')).to.equal(-2.5 * 3600);
    expect(offsetAt('America/St_Johns', '2026-11-01T04:29:59Z')).to.equal(-2.5 * 3600);
    expect(offsetAt('America/St_Johns', '2026-11-01T04:30:00Z')).to.equal(-3.5 * 3600);
  });

  it('Kolkata and UTC never change', () => {
    expect(periodsOf('Asia/Kolkata')).to.deep.equal([
      { timezone: 'Asia/Kolkata', validFromUtcS: 0, validToUtcS: 4294967295, utcOffsetS: 19800 },
    ]);
    expect(periodsOf('UTC')).to.deep.equal([
      { timezone: 'UTC', validFromUtcS: 0, validToUtcS: 4294967295, utcOffsetS: 0 },
    ]);
  });

  it('an offset that is not a whole minute keeps its seconds', () => {
    // Liberia had -00:44:30 until 7 January 1972.
    expect(offsetAt('Africa/Monrovia', '1972-01-06T00:00:00Z')).to.equal(-2670);
  });

  it('every time zone is covered from 1970 to 2106 without gaps or overlaps', () => {
    const zones = [...new Set(offsets.map(({ timezone }) => timezone))];
    expect(zones).to.include.members(['Asia/Katmandu', 'Europe/Kyiv', 'Etc/GMT+12']);
    expect(zones.filter((timezone) => !isContiguous(periodsOf(timezone)))).to.deep.equal([]);
    expect(periodsOf('Europe/London')).to.have.length.above(200);
  });

  it('change at most twice in a span, as the dictionary timezone_span can hold', () => {
    const spanS = 2 ** 22;
    const changes = new Map<string, number>();
    // The first period of a zone starts in 1970, and is not a change.
    for (const { timezone, validFromUtcS } of offsets.filter((s) => s.validFromUtcS > 0)) {
      const span = `${timezone} ${Math.floor(validFromUtcS / spanS)}`;
      changes.set(span, (changes.get(span) ?? 0) + 1);
    }
    // Egypt changed its clocks twice within 48 days in 2010.
    expect(Math.max(...changes.values())).to.equal(2);
  });

  function periodsOf(timezone: string): TimezoneOffset[] {
    return offsets.filter((offset) => offset.timezone === timezone);
  }

  function offsetAt(timezone: string, instant: string): number | undefined {
    const atS = Date.parse(instant) / 1000;
    return periodsOf(timezone).find((s) => s.validFromUtcS <= atS && atS <= s.validToUtcS)
      ?.utcOffsetS;
  }
});

function isContiguous(periods: readonly TimezoneOffset[]): boolean {
  return (
    periods[0]?.validFromUtcS === 0 &&
    periods.at(-1)?.validToUtcS === 4294967295 &&
    periods.every((s, i) => i === 0 || s.validFromUtcS === periods[i - 1]!.validToUtcS + 1)
  );
}
