/** The value to store, and what it does not have of the original. */
export interface Conversion {
  readonly text: string;
  readonly change?: 'rounded' | 'no time of day';
}

/**
 * A UTC time as ClickHouse reads it, from the forms of ISO 8601: with Z or an offset, without seconds,
 * or a date alone, which is its midnight. `2026-11-15T18:30:00+05:45` is `2026-11-15 12:45:00`.
 */
export function convertTime(text: string): Conversion | undefined {
  const [, date = '', time, second = '00', fraction = '', zone = 'Z'] =
    isoTime.exec(text.trim()) ?? [];
  const offsetMinutes = parseOffset(zone);
  const localMs = Date.parse(`${date}T${time ?? '00:00'}:${second}Z`);
  if (Number.isNaN(localMs) || offsetMinutes === undefined) return undefined;
  // Date.parse takes 2026-02-30 for 2 March.
  if (new Date(localMs).toISOString().slice(0, 10) !== date) return undefined;

  const utc = new Date(localMs - offsetMinutes * 60_000).toISOString();
  if (utc < firstTime || utc >= endOfTimes) return undefined;
  const converted = `${utc.slice(0, 10)} ${utc.slice(11, 19)}${fraction}`;
  return time === undefined ? { text: converted, change: 'no time of day' } : { text: converted };
}

const isoTime =
  /^(\d{4}-\d\d-\d\d)(?:[ Tt](\d\d:\d\d)(?::(\d\d)(\.\d{1,9})?)? ?(Z|z|UTC|[+-]\d\d(?::?\d\d)?)?)?$/;

/** The range of ClickHouse's DateTime, the key of the dictionaries. */
const firstTime = '1970-01-01';
const endOfTimes = '2106-01-01';

function parseOffset(zone: string): number | undefined {
  if (!/^[+-]/.test(zone)) return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(':', '') || '0');
  if (hours > 14 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}
