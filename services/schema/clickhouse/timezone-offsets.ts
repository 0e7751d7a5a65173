import moment from 'moment-timezone';

/** A period in which a time zone has one UTC offset. Both ends are included. */
export interface TimezoneOffset {
  readonly timezone: string;
  readonly validFromUtcS: number;
  readonly validToUtcS: number;
  readonly utcOffsetS: number;
}

/**
 * The UTC offsets of all time zones of moment-timezone, including aliases such as Asia/Katmandu. The
 * periods of a zone cover the whole range of ClickHouse's DateTime, 1970 to 2106, without gaps.
 */
export function timezoneOffsets(): readonly TimezoneOffset[] {
  return moment.tz.names().flatMap((timezone) => offsetsOf(timezone));
}

/** The release of the time zone database, such as 2026a. */
export const tzdataRelease: string = moment.tz.dataVersion;

const firstSecondUtcS = 0;
const lastSecondUtcS = 2 ** 32 - 1; // 2106-02-07 06:28:15

function offsetsOf(timezone: string): TimezoneOffset[] {
  const zone = moment.tz.zone(timezone);
  if (zone === null) throw new Error(`moment-timezone lists ${timezone} but has no data for it`);

  const periods: TimezoneOffset[] = [];
  let validFromUtcS = firstSecondUtcS;
  for (const [i, untilMs] of zone.untils.entries()) {
    // The last until is Infinity. Periods before 1970 are empty.
    const validToUtcS = Math.min(untilMs / 1000 - 1, lastSecondUtcS);
    if (validToUtcS < validFromUtcS) continue;
    append(periods, { timezone, validFromUtcS, validToUtcS, utcOffsetS: offsetS(zone, i) });
    validFromUtcS = validToUtcS + 1;
  }
  return periods;
}

// moment-timezone has minutes west of UTC: -345 for Asia/Kathmandu, which is +20700 seconds.
function offsetS(zone: moment.MomentZone, i: number): number {
  return -Math.round((zone.offsets[i] ?? 0) * 60) || 0;
}

// Merges adjacent periods with the same offset, which differ only in their abbreviation (EWT, EPT).
function append(periods: TimezoneOffset[], next: TimezoneOffset): void {
  const last = periods.at(-1);
  if (last?.utcOffsetS === next.utcOffsetS) {
    periods[periods.length - 1] = { ...last, validToUtcS: next.validToUtcS };
  } else {
    periods.push(next);
  }
}
