import moment from 'moment-timezone';

// The only importer of moment-timezone, whose zone data is newer than that of Node and ClickHouse.

/** All IANA time zones, with aliases such as Asia/Katmandu. */
export const timezoneNames: readonly string[] = moment.tz.names();

/** The release of the time zone database: 2026a. */
export const timezoneDataVersion: string = moment.tz.dataVersion;

const names: ReadonlySet<string> = new Set(timezoneNames);

/** As it is spelt: the dictionary of offsets has no europe/london. */
export function isTimezone(name: string): boolean {
  return names.has(name);
}

export function utcOffsetMs(timezone: string, ms: number): number {
  return moment.tz(ms, timezone).utcOffset() * 60_000;
}

/** The local midnight at which a day such as 2026-10-01 begins; where the clocks skip it, the first instant after it. */
export function startOfLocalDay(day: string, timezone: string): Date {
  return moment.tz(`${day} 00:00`, timezone).toDate();
}

/** The offsets of a time zone in order, each up to the given instant; the last one is Infinity. */
export function offsetPeriods(
  timezone: string,
): readonly { readonly untilMs: number; readonly utcOffsetS: number }[] {
  const zone = moment.tz.zone(timezone);
  if (zone === null) throw new Error(`${timezone} is not a time zone`);
  // moment-timezone has minutes west of UTC: -345 for Asia/Kathmandu, which is +20700 seconds.
  return zone.untils.map((untilMs, i) => ({
    untilMs,
    utcOffsetS: -Math.round((zone.offsets[i] ?? 0) * 60) || 0,
  }));
}
