/** The day of a valid time in bytes, `2026-11-15 18:30:00`, perhaps after spaces: 20261115. */
export function dayAt(bytes: Uint8Array, start: number): number {
  const at = firstDigit(bytes, start);
  return yearAt(bytes, at) * 10_000 + twoDigits(bytes, at + 5) * 100 + twoDigits(bytes, at + 8);
}

/** A valid time in bytes as seconds since 1970, without its fraction. */
export function unixSecondsAt(bytes: Uint8Array, start: number): number {
  const at = firstDigit(bytes, start);
  const month = twoDigits(bytes, at + 5) - 1;
  const midnightMs = Date.UTC(yearAt(bytes, at), month, twoDigits(bytes, at + 8));
  const hours = twoDigits(bytes, at + 11);
  const minutes = hours * 60 + twoDigits(bytes, at + 14);
  return midnightMs / 1000 + minutes * 60 + twoDigits(bytes, at + 17);
}

function firstDigit(bytes: Uint8Array, start: number): number {
  let at = start;
  while ((bytes[at] ?? zero) <= blank) at++;
  return at;
}

function yearAt(bytes: Uint8Array, at: number): number {
  return twoDigits(bytes, at) * 100 + twoDigits(bytes, at + 2);
}

function twoDigits(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? zero) - zero) * 10 + (bytes[at + 1] ?? zero) - zero;
}

const [blank, zero] = [0x20, 0x30];
