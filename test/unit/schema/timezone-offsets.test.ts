import { expect } from 'chai';
import {
  timezoneOffsets,
  type TimezoneOffset,
} from '../../../services/schema/clickhouse/timezone-offsets.ts';

describe('time zone offsets', () => {
  const offsets = timezoneOffsets();

  it('Kathmandu is 5 hours 45 minutes ahead since 1986', () => {
    expect(offsetAt('Asia/Kathmandu', '1985-12-31T18:29:59Z')).to.equal(5.5 * 3600);
    expect(offsetAt('Asia/Kathmandu', '1985-12-31T18:30:00Z')).to.equal(5.75 * 3600);
    expect(offsetAt('Asia/Kathmandu', '2026-07-01T00:00:00Z')).to.equal(5.75 * 3600);
  });

  it("St John's moves by an hour at the very second its clocks do", () => {
    expect(offsetAt('America/St_Johns', '2026-03-08T05:29:59Z')).to.equal(-3.5 * 3600);
    expect(offsetAt('America/St_Johns', '2026-03-08T05:30:00Z')).to.equal(-2.5 * 3600);
    expect(offsetAt('America/St_Johns', '2026-11-01T04:29:59Z')).to.equal(-2.5 * 3600);
    expect(offsetAt('America/St_Johns', '2026-11-01T04:30:00Z')).to.equal(-3.5 * 3600);
  });

  it('Kolkata and UTC never move', () => {
    expect(stretchesOf('Asia/Kolkata')).to.deep.equal([
      { timezone: 'Asia/Kolkata', validFromUtcS: 0, validToUtcS: 4294967295, utcOffsetS: 19800 },
    ]);
    expect(stretchesOf('UTC')).to.deep.equal([
      { timezone: 'UTC', validFromUtcS: 0, validToUtcS: 4294967295, utcOffsetS: 0 },
    ]);
  });

  it('an offset that is not a whole minute keeps its seconds', () => {
    // Liberia kept -00:44:30 until 7 January 1972.
    expect(offsetAt('Africa/Monrovia', '1972-01-06T00:00:00Z')).to.equal(-2670);
  });

  it('every zone is covered from 1970 to 2106 without gap or overlap', () => {
    const zones = [...new Set(offsets.map(({ timezone }) => timezone))];
    expect(zones).to.include.members(['Asia/Katmandu', 'Europe/Kyiv', 'Etc/GMT+12']);
    expect(zones.filter((timezone) => !tiles(stretchesOf(timezone)))).to.deep.equal([]);
    expect(stretchesOf('Europe/London')).to.have.length.above(200);
  });

  function stretchesOf(timezone: string): TimezoneOffset[] {
    return offsets.filter((offset) => offset.timezone === timezone);
  }

  function offsetAt(timezone: string, instant: string): number | undefined {
    const atS = Date.parse(instant) / 1000;
    return stretchesOf(timezone).find((s) => s.validFromUtcS <= atS && atS <= s.validToUtcS)
      ?.utcOffsetS;
  }
});

function tiles(stretches: readonly TimezoneOffset[]): boolean {
  return (
    stretches[0]?.validFromUtcS === 0 &&
    stretches.at(-1)?.validToUtcS === 4294967295 &&
    stretches.every((s, i) => i === 0 || s.validFromUtcS === stretches[i - 1]!.validToUtcS + 1)
  );
}
